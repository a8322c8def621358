// Asking the server for something. A refusal is an ApiError with the server's own words; a dead network is one with code
// "network"; what can be shown as it was seen last is shown so then.

import { forgetSeen, jittered, keepSeen, lastSeen, missed, reached } from "./offline.js";

/** @import { Progress, Refusal, SlowLine } from "./types.js" */
/**
 * @typedef {object} How how something is asked
 * @property {string} [method]
 * @property {object} [body] sent as JSON
 * @property {string | null} [seat] the secret that says who asks
 * @property {AbortSignal} [signal]
 * @property {string} [accept]
 */

export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {Partial<Refusal>} body
   */
  constructor(status, body) {
    super(body.error || "The server gave an answer that this page does not understand.");
    this.status = status;
    this.code = body.code || "unknown";
    this.body = body;
    // It may go better in a moment: 503 was surely not done. 504, from the server or from a proxy that cannot reach it,
    // and a dead network leave open whether it was; whatever changes something can be sent again, and is done once.
    this.passing = status === 0 || status === 429 || status >= 502;
    this.unknown = status === 0 || status === 502 || status === 504;
  }
}

/** What was thrown, if it is a refusal; a mistake of ours is thrown on. @param {unknown} error */
export function refusalIn(error) {
  if (error instanceof ApiError) return error;
  throw error;
}

/** A secret of our own making: 144 bits that nobody else knows. */
export const newSecret = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))))
    .replaceAll("+", "-")
    .replaceAll("/", "_");

/** Whether somebody gave up waiting. @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

const unreachable = () => new ApiError(0, { code: "network", error: "The server cannot be reached just now." });

/**
 * A body cut short by the network counts as the network, not as a strange answer.
 * @template T
 * @param {Promise<T>} reading
 */
async function whole(reading) {
  try {
    return await reading;
  } catch (error) {
    if (isAbort(error)) throw error;
    missed();
    throw unreachable();
  }
}

/**
 * @param {string} path
 * @param {How} how
 */
async function ask(path, { method = "GET", body, seat, signal, accept = "application/json" } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: accept };
  if (seat) headers.Authorization = `Bearer ${seat}`;
  if (body) headers["Content-Type"] = "application/json";
  const answer = await whole(
    fetch(path, { method, headers, signal, cache: "no-cache", body: body && JSON.stringify(body) }),
  );
  if (answer.ok) {
    reached();
    return answer;
  }
  const refusal = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  const error = new ApiError(answer.status, refusal);
  if (error.unknown) missed();
  else reached();
  throw error;
}

/** @param {string} path @param {How} [how] */
export const getJson = async (path, how) => whole((await ask(path, how)).json());
/**
 * The same, or what was seen last at this address if the server cannot be reached.
 * @param {string} path
 * @param {How} [how]
 */
export const getOrRecall = (path, how) => orRecall(path, getJson(path, how));

/**
 * @template T
 * @param {string} path
 * @param {Promise<T>} asking
 */
async function orRecall(path, asking) {
  try {
    const answer = await asking;
    keepSeen(path, answer);
    return answer;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) forgetSeen(path);
    const seen = error.unknown ? await lastSeen(path) : undefined;
    if (seen === undefined) throw error;
    return /** @type {T} */ (seen);
  }
}

/** @param {string} path */
export const getText = async (path) => whole((await ask(path, { accept: "text/plain" })).text());
/** @param {string} path @param {object} [body] @param {How} [how] */
export const postJson = (path, body = {}, how) => getJson(path, { ...how, method: "POST", body });

const ASK_AGAIN_AFTER = [500, 1500, 4000]; // milliseconds, before jitter

/**
 * Have something made. Where it stays unknown whether it was, the same is sent again: by its key the server knows it.
 * @param {string} path
 * @param {object} body
 */
export async function makeOnce(path, body) {
  const keyed = { ...body, key: newSecret() };
  for (const pause of ASK_AGAIN_AFTER) {
    try {
      return await postJson(path, keyed);
    } catch (error) {
      if (!refusalIn(error).unknown) throw error;
      await new Promise((done) => setTimeout(done, jittered(pause)));
    }
  }
  return postJson(path, keyed);
}

/**
 * The lines of an NDJSON answer, one by one; blank ones keep the line open and are told as null.
 * @param {string} path
 * @param {How} how
 */
export async function* getLines(path, how) {
  const answer = await ask(path, { ...how, accept: "application/x-ndjson" });
  if (!answer.body) throw unreachable();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await whole(reader.read());
      const parts = (rest + (value ?? "")).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) yield part.trim() ? JSON.parse(part) : null;
      if (done) break;
    }
    if (rest.trim()) yield JSON.parse(rest);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * Something that takes time: progress is told as it comes, the answer is returned; or what was seen last.
 * @param {string} path
 * @param {How & { onProgress: (progress: Progress) => void }} how
 */
export const getSlowly = (path, how) => orRecall(path, hearOut(path, how));

/** @param {string} path @param {How & { onProgress: (progress: Progress) => void }} how */
async function hearOut(path, { onProgress, ...how }) {
  for await (const found of getLines(path, how)) {
    const line = /** @type {SlowLine | null} */ (found);
    if (line?.type === "progress") onProgress(line);
    else if (line?.type === "error") throw new ApiError(200, line);
    else if (line?.type === "answer") return line.answer;
  }
  throw unreachable();
}
