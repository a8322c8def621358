// What has won, shown wherever it lies: a stroke through a line of cells, and the numbers of a sequence in the pool as well.

/** @import { Group, Table } from "./types.js" */

/**
 * The way a stroke goes through the cells of a grid that have won, as a class; empty where none have.
 * @param {Group} group
 */
export function strokeOf({ shape, rows }) {
  const won = rows.flatMap((row, y) => row.flatMap((tile, x) => (tile.won ? [{ x, y }] : [])));
  const [first, second] = won;
  if (shape !== "grid" || !first || !second) return "";
  if (first.y === second.y) return " struck across";
  if (first.x === second.x) return " struck down";
  return second.x > first.x ? " struck falling" : " struck rising";
}

/**
 * A pool in which the numbers that have won elsewhere on the table are marked too: there they can be seen best.
 * @param {Group} group
 * @param {Table} table
 * @returns {Group}
 */
export function withWon(group, { view }) {
  if (group.shape !== "pool") return group;
  const won = new Set(
    view
      .filter(({ shape }) => shape === "line")
      .flatMap(({ rows }) => rows.flat())
      .filter((tile) => tile.won)
      .map((tile) => `${tile.owner} ${tile.text}`),
  );
  if (!won.size) return group;
  const rows = group.rows.map((row) =>
    row.map((tile) => (won.has(`${tile.owner} ${tile.text}`) ? { ...tile, won: true } : tile)),
  );
  return { ...group, rows };
}
