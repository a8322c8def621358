// The base of compiled kernels: Python's integers in 64 bits, one growing hash table, and memory. build.py puts the table
// SELECT before it.
typedef long long i64;
typedef unsigned long long u64;

// Exported functions take their arguments from a block of numbers, and leave their result there.
#if defined(__wasm__) && !defined(SHARED)
static i64 block[64];
__attribute__((export_name("block"))) i64 *block_address(void) { return block; }
#define DOOR(name) __attribute__((export_name(#name))) void name##_door(void) { name##_body(block); }
#elif defined(__wasm__)  // threads share the memory, so each has a block of its own
#define DOOR(name) __attribute__((export_name(#name))) void name##_door(i64 *door) { name##_body(door); }
#else  // returns 0 if the program trapped
#include <setjmp.h>
#include <stdlib.h>
#include <sys/mman.h>
typedef struct Piece {  // the head of an allocation
  struct Piece *next, **link;  // the next in its list, and the pointer to this one
} Piece;
static _Thread_local Piece **pieces;  // the list of the running instance: the number before its block
static _Thread_local jmp_buf escape;
static __attribute__((noinline)) i64 guarded(void (*body)(i64 *), i64 *door) {
  pieces = (Piece **)(door - 1);
  if (_setjmp(escape)) return 0;
  body(door);
  return 1;
}
#define DOOR(name) \
  __attribute__((visibility("default"))) i64 name##_door(i64 *door) { return guarded(name##_body, door); }
#endif
static inline _Noreturn void trap(void) {
#ifdef __wasm__
  __builtin_trap();
#else
  longjmp(escape, 1);
#endif
}
#define ADDRESS(type, number) ((type)(unsigned long)(number))
#define NUMBER(pointer) ((i64)(unsigned long)(pointer))
#if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__) && !defined(__bdver4__)
#define FAST_DEPOSIT  // the others take hundreds of cycles for it
#endif

// Sums, differences, products and left shifts are correct in their lower 64 bits, and so are bitwise operations on them.
// Built with -DCHECKED, intermediate results have 128 bits, and the program traps as soon as a value that
// is stored, compared, divided, passed or returned needs more than 64, or a primitive is called outside its domain.
#ifdef CHECKED
typedef __int128 wide;
typedef unsigned __int128 uwide;
#define NEED(fact) ((fact) ? (void)0 : trap())
#else
typedef i64 wide;
typedef u64 uwide;
#define NEED(fact) ((void)0)
#endif
#define MIN64 (-0x7fffffffffffffffLL - 1)

static inline i64 exact(wide a) {
  NEED((i64)a == a);
  return (i64)a;
}
static inline wide added(wide a, wide b) {
  NEED(!__builtin_add_overflow(a, b, &(wide){0}));
  return (wide)((uwide)a + (uwide)b);
}
static inline wide subtracted(wide a, wide b) {
  NEED(!__builtin_sub_overflow(a, b, &(wide){0}));
  return (wide)((uwide)a - (uwide)b);
}
static inline wide negated(wide a) { return subtracted(0, a); }
static inline wide multiplied(wide a, wide b) {
  NEED(!__builtin_mul_overflow(a, b, &(wide){0}));
  return (wide)((uwide)a * (uwide)b);
}
static wide shift_far(i64 n, wide rest) {  // a shift by all bits or more
  if (n < 0) trap();
  return rest;
}
static inline wide shift_left(wide a, i64 n) {
  NEED(a == 0 || n < 0 || (n < 127 && (wide)((uwide)a << n) >> n == a));
  return __builtin_expect((u64)n < 8 * sizeof(wide), 1) ? (wide)((uwide)a << n) : shift_far(n, 0);
}
static inline i64 shift_right(i64 a, i64 n) {
  return __builtin_expect((u64)n < 64, 1) ? a >> n : (i64)shift_far(n, a >> 63);
}
#define POWER_OF_2(b) (__builtin_constant_p(b) && b > 0 && (b & (b - 1)) == 0)
static inline i64 floor_div(i64 a, i64 b) {
  if (POWER_OF_2(b)) return a >> __builtin_ctzll((u64)b);
  if (b == 0) trap();
  NEED(b != -1 || a != MIN64);
  return a / b - ((a % b != 0) & ((a < 0) != (b < 0)));
}
static inline i64 floor_mod(i64 a, i64 b) {
  if (POWER_OF_2(b)) return a & (b - 1);
  if (b == 0) trap();
  NEED(b != -1 || a != MIN64);
  i64 r = a % b;
  return r + (((r != 0) & ((r < 0) != (b < 0))) ? b : 0);
}
static inline wide power(i64 a, i64 n) {
  if (n < 0) trap();  // a fraction in Python
  wide base = a, result = 1;
  for (; n; n >>= 1) {
    if (n & 1) result = multiplied(result, base);
    if (n > 1) base = multiplied(base, base);
  }
  return result;
}
static inline i64 absolute(i64 a) { return a < 0 ? exact(negated(a)) : a; }
static inline i64 minimum(i64 a, i64 b) { return b < a ? b : a; }
static inline i64 maximum(i64 a, i64 b) { return b > a ? b : a; }
static inline u64 magnitude(i64 a) { return a < 0 ? 0 - (u64)a : (u64)a; }
static inline i64 bit_count(i64 a) { return __builtin_popcountll(magnitude(a)); }
static inline i64 bit_length(i64 a) { return a ? 64 - __builtin_clzll(magnitude(a)) : 0; }
static inline i64 within(i64 place, i64 length) {  // of a constant tuple
  if (place < 0) place += length;
  if ((u64)place >= (u64)length) trap();
  return place;
}
static inline i64 at(i64 place) {  // of an array
  NEED(place >= 0);
  return place;
}
#define STORED(type, value) ({ i64 stored = (value); NEED((type)stored == stored); (type)stored; })
static inline double fraction(i64 a) {  // an integer that becomes a float: exact up to 2**53
  NEED(a >= -(1LL << 53) && a <= 1LL << 53);
  return (double)a;
}
static inline double divided(double a, double b) {
  if (b == 0) trap();
  return a / b;
}
static inline i64 truncated(double a) {
  if (!(a >= -0x1p63 && a < 0x1p63)) trap();
  return (i64)a;
}

// C bodies of a few functions of Parlour, each within the domain that its NEED states.
static inline double square_root(double a) {
  if (!(a >= 0)) trap();
  return __builtin_sqrt(a);
}
static inline i64 popcount(i64 mask) {
  NEED(mask >= 0);
  return __builtin_popcountll((u64)mask);
}
static inline i64 lowest_bit(i64 mask) { return mask ? __builtin_ctzll((u64)mask) : -1; }
static inline i64 mirrored(i64 mask, i64 width) {
  NEED(width > 0 && width < 64 && mask >= 0 && mask >> width == 0);
  u64 w = (u64)mask;
  w = (w >> 1 & 0x5555555555555555ULL) | (w & 0x5555555555555555ULL) << 1;
  w = (w >> 2 & 0x3333333333333333ULL) | (w & 0x3333333333333333ULL) << 2;
  w = (w >> 4 & 0x0F0F0F0F0F0F0F0FULL) | (w & 0x0F0F0F0F0F0F0F0FULL) << 4;
  return (i64)(__builtin_bswap64(w) >> (64 - width));
}
static inline i64 select_bit(i64 mask, i64 place) {
  NEED(place >= 0 && place < popcount(mask));
#ifdef FAST_DEPOSIT
  return (i64)__builtin_ctzll(__builtin_ia32_pdep_di(1ULL << place, (u64)mask));
#endif
  // The byte from the counts of bits up to each, all eight compared with the place, then a look-up in a table.
  u64 word = (u64)mask, each = 0x0101010101010101ULL, top = each << 7;
  u64 sums = word - (word >> 1 & 0x5555555555555555ULL);
  sums = (sums & 0x3333333333333333ULL) + (sums >> 2 & 0x3333333333333333ULL);
  sums = (sums + (sums >> 4) & 0x0F0F0F0F0F0F0F0FULL) * each;
  i64 shift = 8 * __builtin_popcountll(((u64)place * each | top) - sums & top) & 63;
  u64 rank = (u64)place - (sums << 8 >> shift & 255);
  return shift + SELECT[(word >> shift & 255) << 3 | rank & 7];
}
static inline u64 next_state(u64 state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^ (state << 17);
}
static inline i64 draw_below(u64 state, i64 bound) {
  NEED(bound >= 0 && bound < 1LL << 31);
  return (i64)((state >> 33) * (u64)bound >> 31);
}
static inline void sort_range(i64 *numbers, i64 begin, i64 end) {
  NEED(begin >= 0);
  for (i64 i = begin + 1; i < end; i++) {
    i64 number = numbers[i], place = i;
    for (; place > begin && numbers[place - 1] > number; place--) numbers[place] = numbers[place - 1];
    numbers[place] = number;
  }
}

// Memory. WebAssembly frees it together with the instance, native code when it is no longer used.
#ifdef __wasm__
extern unsigned char __heap_base;
static u64 heap;
static void *take(u64 bytes) {
  u64 begin = ((heap ? heap : (u64)(unsigned long)&__heap_base) + 15) & ~15ULL, end = begin + bytes;
  u64 have = (u64)__builtin_wasm_memory_size(0) << 16;
  if (end > 0xffff0000ULL) return 0;
  if (end > have && __builtin_wasm_memory_grow(0, (end - have + 65535) >> 16) == (unsigned long)-1) return 0;
  heap = end;
  return (void *)(unsigned long)begin;
}
static void give_back(void *memory) {}
#else
static void *take(u64 bytes) {
  Piece *piece = bytes < 1ULL << 47 ? calloc(1, sizeof(Piece) + bytes) : 0;
  if (!piece) return 0;
#ifdef MADV_HUGEPAGE
  u64 page = 1 << 21, begin = ((u64)piece + page - 1) & ~(page - 1), end = (u64)(piece + 1) + bytes & ~(page - 1);
  if (end > begin) madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#endif
  *piece = (Piece){*pieces, pieces};
  if (piece->next) piece->next->link = &piece->next;
  *pieces = piece;
  return piece + 1;
}
static void give_back(void *memory) {
  Piece *piece = (Piece *)memory - 1;
  *piece->link = piece->next;
  if (piece->next) piece->next->link = piece->link;
  free(piece);
}
static void release_body(i64 *door) {
  while (*pieces) give_back(*pieces + 1);
}
DOOR(release)
#endif
static void allocate_body(i64 *door) { door[0] = NUMBER(take((u64)door[0])); }
DOOR(allocate)

// A hash table of packed positions with values of a fixed number of bytes. With few probes new entries evict old ones.
// Otherwise it preserves all entries, and the caller has to let it grow in time.
typedef struct {
  i64 slots, count, probes, bytes;
  i64 radix[16];
  i64 *keys;  // packed position + 1; 0: free
  char *values;
} Table;
static inline i64 slot_of(i64 key, i64 mask) {
  i64 mixed = (i64)((u64)key * (u64)-7046029254386353131LL);
  return (mixed ^ (mixed >> 29)) & mask;
}
static inline char *table_find(Table *t, i64 key) {
  i64 mask = t->slots - 1, slot = slot_of(key, mask);
  for (i64 probe = 0; probe < t->probes; probe++, slot = (slot + 1) & mask) {
    if (t->keys[slot] == key) return t->values + slot * t->bytes;
    if (t->keys[slot] == 0) return 0;
  }
  return 0;
}
static inline char *table_place(Table *t, i64 key) {
  i64 mask = t->slots - 1, first = slot_of(key, mask), slot = first;
  for (i64 probe = 0; probe < t->probes; probe++, slot = (slot + 1) & mask) {
    if (t->keys[slot] == key) return t->values + slot * t->bytes;
    if (t->keys[slot] == 0) {
      t->count++;
      t->keys[slot] = key;
      return t->values + slot * t->bytes;
    }
  }
  slot = (first + ((key >> 3 ^ t->count) & (t->probes - 1))) & mask;
  t->keys[slot] = key;
  return t->values + slot * t->bytes;
}
static int table_make(Table *t, i64 slots) {
  i64 *keys = take((u64)slots * 8);
  char *values = keys ? take((u64)(slots * t->bytes)) : 0;
  if (!values) return 0;
  t->keys = keys;
  t->values = values;
  t->slots = slots;
  t->count = 0;
  return 1;
}
static void table_new_body(i64 *door) {
  Table *t = take(sizeof(Table));
  if (t) {
    t->probes = door[1] ? door[1] : 1LL << 62;
    t->bytes = door[2];
    t = table_make(t, door[0]) ? t : 0;
  }
  door[0] = NUMBER(t);
}
DOOR(table_new)
static i64 table_grow(Table *t) {
  Table old = *t;
  if (!table_make(t, 2 * old.slots)) {
    *t = old;
    return 0;
  }
  for (i64 slot = 0; slot < old.slots; slot++)
    if (old.keys[slot]) {
      char *to = table_place(t, old.keys[slot]);
      for (i64 byte = 0; byte < t->bytes; byte++) to[byte] = old.values[slot * t->bytes + byte];
    }
  give_back(old.keys);
  give_back(old.values);
  return 1;
}
static void table_grow_body(i64 *door) { door[0] = table_grow(ADDRESS(Table *, door[0])); }
DOOR(table_grow)
// Radix sort: moves the packed positions in ascending order, and their values of four bytes, to the beginning of both arrays.
static i64 table_sort(Table *t) {
  i64 count = 0, *keys = t->keys, most = 0;
  int *values = (int *)t->values;
  for (i64 slot = 0; slot < t->slots; slot++)
    if (keys[slot]) {
      i64 key = keys[slot] - 1;
      most = key > most ? key : most;
      values[count] = values[slot];
      keys[count++] = key;
    }
  i64 *other_keys = take((u64)count * 8);
  int *other_values = other_keys ? take((u64)count * 4) : 0;
  if (!other_values) return 0;
  for (int shift = 0; shift < 64 && most >> shift; shift += 11) {
    i64 begins[2048] = {0}, sum = 0;
    for (i64 place = 0; place < count; place++) begins[keys[place] >> shift & 2047]++;
    for (int digit = 0; digit < 2048; digit++) {
      i64 size = begins[digit];
      begins[digit] = sum;
      sum += size;
    }
    for (i64 place = 0; place < count; place++) {
      i64 to = begins[keys[place] >> shift & 2047]++;
      other_keys[to] = keys[place];
      other_values[to] = values[place];
    }
    i64 *swapped_keys = keys;
    int *swapped_values = values;
    keys = other_keys, other_keys = swapped_keys;
    values = other_values, other_values = swapped_values;
  }
  t->keys = keys;
  t->values = (char *)values;
  return 1;
}
static void table_sort_body(i64 *door) {
  Table *t = ADDRESS(Table *, door[0]);
  door[0] = table_sort(t);
  door[1] = NUMBER(t->keys);
  door[2] = NUMBER(t->values);
}
DOOR(table_sort)
#ifdef __wasm__
void *memset(void *to, int value, unsigned long size) {
  for (char *at = to; size; size--) *at++ = (char)value;
  return to;
}
#endif
