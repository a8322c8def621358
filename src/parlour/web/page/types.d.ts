// The names that this page has for the server's documents, which documents.d.ts describes, and for the few things that are in
// no schema of the server. For the type checker and for readers: no browser loads it.

import type { components } from "./documents.d.ts";

type Documents = components["schemas"];

export type Player = 1 | 2;
export type Seats = Player[];

// A match.
export type State = Documents["State"];
export type NewMatch = Documents["NewMatch"];
export type Round = Documents["RoundDocument"];
export type OfferKind = Documents["OfferDocument"]["kind"];
export type Replay = Documents["Replay"];

// A position.
export type Table = Documents["Table"];
export type Group = Documents["GroupDocument"];
export type Tile = Documents["TileDocument"];

// A game.
export type Games = Documents["Games"];
export type Card = Documents["Card"];
export type Rules = Documents["Rules"];
export type Option = Documents["OptionDocument"];
export type Level = Documents["LevelDocument"];

// What is known of a position.
export type Solution = Documents["Solution"];
export type Choice = Documents["Choice"];
export type Hint = Documents["Hint"];
export type Reason = Documents["Reason"];
/** What a position is worth to somebody, and how many plies it takes. */
export type Standing = Pick<Choice, "value" | "plies">;
/** What each move of a position is worth to the player who makes it. */
export type Values = Map<string, Choice>;

// Everything else.
export type Refusal = Documents["Refusal"];
export type Health = Documents["Health"];
export type Code = Documents["Code"];

// The report of a match; docs/study.md has the fields.
export type Report = {
  game: string;
  names: string[];
  accuracy: Account[];
  rounds: RoundReport[];
  text: string[];
};
export type Account = {
  player: Player;
  accuracy: number | null;
  decisions: number;
  held: number;
  left_out: Record<string, number>;
};
export type RoundReport = {
  round: number;
  options: Record<string, string>;
  first: Player;
  how: string | null;
  winner: Player | null;
  decisions: Decision[];
  turning_points: TurningPoint[];
  resignation: { player: Player; standing: Standing | null } | null;
};
export type Decision = {
  ply: number;
  player: Player;
  move: string;
  grade: string;
  before: Standing | null;
  after: Standing | null;
};
export type TurningPoint = {
  ply: number;
  player: Player;
  move: string;
  from: Standing["value"];
  held_by: string[];
  line: string[];
};

// What comes line by line: states of a match, and answers that take their time.
export type MatchMessage = { type?: string; state?: State };
export type Progress = { positions: number | null; seconds: number };
export type SlowLine =
  | ({ type: "progress" } & Progress)
  | { type: "answer"; answer: unknown }
  | ({ type: "error" } & Refusal);

/** A place on the study board: /study/GAME/TOKEN?QUERY. */
export type Place = { game: string; token: string; query: string };
/** A line that is walked on the study board, and the place it begins at. */
export type Line = { from: string; moves: string[] };
/** A position of a match that is looked back at. */
export type Moment = { round: number; ply: number };

/** An event as the handler of an element of ours gets it. */
export type On<Target extends EventTarget, Kind extends Event = Event> = Kind & { currentTarget: Target };
