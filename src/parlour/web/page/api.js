// Talking to the server. A refusal is an ApiError with the server's own words; a dead network is one with code "network".

import { seatOf } from "./store.js";

export class ApiError extends Error {
  constructor(status, body) {
    super(body.error || "The server gave an answer that this page does not understand.");
    this.status = status;
    this.code = body.code || "unknown";
    this.body = body;
    // It may go better in a moment. 502 and 504 are what a proxy says while the server is away.
    this.passing = status === 0 || status === 429 || status >= 502;
  }
}

const UNREACHABLE = { code: "network", error: "The server cannot be reached just now." };

async function ask(path, { method = "GET", body, match, seat = match && seatOf(match), signal, accept = "application/json" } = {}) {
  const headers = { Accept: accept };
  if (seat) headers.Authorization = `Bearer ${seat}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, cache: "no-store", body: body && JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, UNREACHABLE);
  }
  if (answer.ok) return answer;
  throw new ApiError(answer.status, await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` })));
}

/** A body cut short by the network counts as the network, not as a strange answer. */
async function whole(reading) {
  try {
    return await reading;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, UNREACHABLE);
  }
}

export const get = async (path, more) => whole((await ask(path, more)).json());
export const getText = async (path, more) => whole((await ask(path, { ...more, accept: "text/plain" })).text());
export const post = (path, body = {}, more) => get(path, { ...more, method: "POST", body });

/** The lines of an NDJSON answer, one by one; blank ones keep the line open and are told as null. */
export async function* lines(path, more) {
  const answer = await ask(path, { ...more, accept: "application/x-ndjson" });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await whole(reader.read());
      const parts = (rest + (value ?? "")).split("\n");
      rest = parts.pop();
      for (const part of parts) yield part.trim() ? JSON.parse(part) : null;
      if (done) break;
    }
    if (rest.trim()) yield JSON.parse(rest);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Something that takes time: progress is told as it comes, the answer is returned. */
export async function slowly(path, { onProgress, ...more }) {
  for await (const line of lines(path, more)) {
    if (line?.type === "progress") onProgress?.(line);
    else if (line?.type === "error") throw new ApiError(200, line);
    else if (line?.type === "answer") return line.answer;
  }
  throw new ApiError(0, UNREACHABLE);
}

const once = new Map();
/** Fetched once and kept: for what does not change while the page is open. */
export function getOnce(path) {
  if (!once.has(path)) {
    const asked = get(path);
    once.set(path, asked);
    asked.catch(() => once.delete(path));
  }
  return once.get(path);
}
export const games = () => getOnce("/api/games");

// Positions. A table names its own place: /study/GAME/TOKEN?options.

export function placeOf(path) {
  const url = new URL(path, location.origin);
  const [, , game, token] = url.pathname.split("/");
  return { game, token: decodeURIComponent(token || "start"), query: url.search.slice(1) };
}

export const movesOf = (token) => (token === "start" || !token ? [] : token.split("."));
export const tokenOf = (moves) => moves.join(".") || "start";
export const studyPath = ({ game, query }, moves) => `/study/${game}/${encodeURI(tokenOf(moves))}${query ? `?${query}` : ""}`;

/** What the players are called, for answers that name them. */
export const named = ({ names }) => `&p1=${encodeURIComponent(names[0])}&p2=${encodeURIComponent(names[1])}`;

/** The address of something asked about a place: position, solve, hint, why. */
export function about(what, { game, token, query }, more = "") {
  return `/api/games/${game}/${what}?moves=${encodeURIComponent(token)}${query ? `&${query}` : ""}${more}`;
}
