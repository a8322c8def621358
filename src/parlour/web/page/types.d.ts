// The names that this page has for the server's documents, which documents.d.ts describes, and for the few things that it
// does not describe. For the type checker and for readers: no browser loads it.

import type { components } from "./documents.d.ts";
import type { ApiError } from "./request.js";

type Documents = components["schemas"];

export type Player = 1 | 2;

// A match.
export type State = Documents["State"];
export type NewMatch = Documents["NewMatch"];
export type Round = Documents["RoundDocument"];
export type OfferKind = Documents["OfferDocument"]["kind"];
export type Replay = Documents["Replay"];

// A position.
export type Table = Documents["TableDocument"];
export type Group = Documents["GroupDocument"];
export type Tile = Documents["TileDocument"];

// A game.
export type Games = Documents["GameList"];
export type Card = Documents["Card"];
export type Rules = Documents["RulesDocument"];
export type Option = Documents["OptionDocument"];
export type Level = Documents["LevelDocument"];

// What is known of a position.
export type Solution = Documents["Solution"];
export type Choice = Documents["ChoiceDocument"];
export type Hint = Documents["Hint"];
export type Reason = Documents["Reason"];
/** What a position is worth to somebody, and in how many plies. */
export type Score = Documents["Score"];
/** What each move of a position is worth to the player who makes it. */
export type Values = Map<string, Choice>;

// The report of a match.
export type Report = Documents["Report"];
export type RoundReport = Documents["RoundReport"];
export type TurningPoint = Documents["TurningPoint"];
export type Decision = Documents["Decision"];
export type Grade = Decision["grade"];
export type Account = Documents["Account"];

// Puzzles.
export type Puzzle = Documents["ShownPuzzle"];
export type PuzzleStep = Documents["Step"];
/** What is asked: a puzzle, or a mistake of one's own, with what to say about it. */
export type Asked = Omit<Practice, "turns"> & {
  turns: { right: Record<string, PuzzleStep[]>; wrong: Record<string, PuzzleStep[]> }[];
  name: string;
  under: string;
  daily: number | null;
  date: string | null;
};
export type PuzzleList = Documents["PuzzleList"];
export type DailyList = Documents["DailyList"];

// Practice and exams.
export type Practice = Documents["ShownExercise"];
export type ShownMistake = Documents["ShownMistake"];
export type MistakeList = Documents["MistakeList"];
export type ExamList = Documents["ExamList"];
export type ExamSheet = Documents["ExamSheet"];
export type ExamQuestion = Documents["ShownQuestion"];
export type PackedStep = Documents["PackedStep"];
export type Diploma = Documents["Diploma"];

// The atlas.
export type GameMap = Documents["Map"];
export type Chart = Documents["Chart"];
export type Square = Documents["Square"];

// Everything else that is answered.
export type Refusal = Documents["Refusal"];
export type Health = Documents["Health"];
export type QrCode = Documents["QrCode"];

// What comes line by line: states of a match, and answers that take their time.
export type MatchMessage = { type?: string; state?: State };
export type Progress = { positions: number | null; seconds: number };
export type SlowLine =
  | ({ type: "progress" } & Progress)
  | { type: "answer"; answer: unknown }
  | ({ type: "error" } & Pick<Refusal, "code" | "error">);

// What is asked for. What is left out is the server's own.
type Ask<Body, Needed extends keyof Body> = Pick<Body, Needed> & Partial<Body>;
export type Challenges = {
  open: Ask<Documents["OpenChallenge"], "game">;
  computer: Ask<Documents["ComputerChallenge"], "game">;
  local: Ask<Documents["LocalChallenge"], "game">;
};
export type Joining = Required<Documents["Joining"]>;
/** What can be done at the table of a match, and what has to be said with it. */
export type Actions = {
  move: Documents["Moving"];
  undo: Documents["Answering"];
  next: Documents["Answering"];
  offer: Documents["Offering"];
  "offer/accept": Documents["Offering"];
  "offer/decline": Documents["Offering"];
  "offer/withdraw": Documents["Offering"];
  rematch: object;
  resign: Documents["Resigning"];
  name: Documents["Naming"];
  delete: object;
};
export type First = "me" | "you" | "toss";

/** A place on the study board: /study/GAME/TOKEN?QUERY. */
export type Place = { game: string; token: string; query: string };
/** A line that is walked on the study board, and the place it begins at. */
export type Line = { from: string; moves: string[] };
/** A position of a match that is looked back at. */
export type Moment = { round: number; ply: number };

// What the page of a match knows.

/** Something said at the foot of the window. */
export type Notice = {
  text: string;
  /** It says why something is not possible. */
  refusal?: boolean;
  /** It goes with the next thing that happens, or after a while. */
  passing?: boolean;
  /** It goes after a while, but not with the next move. */
  timed?: boolean;
  /** It stands in the panel beside the board too, where that is in view. */
  hint?: boolean;
  /** What can be done about it. */
  remedy?: { words: string; act: () => void };
  /** The label of the button that closes it, if it is not "All right". */
  dismiss?: string;
};
/** Something that has no answer yet: "Your move 5"; `withdraws`: it takes back an offer of one's own. */
export type Sending = { what: string; move: string | null; withdraws: boolean };
/** A position that is looked back at. */
export type View = Moment & { table: Table };
export type SessionState = {
  /** The state that is shown. */
  now: State | null;
  /** What is looked at, if it is not the newest position. */
  view: View | null;
  pending: Sending | null;
  /** Why it takes long. */
  trying: string;
  /** The line to the server is lost, for now. */
  down: boolean;
  notice: Notice | null;
  /** Why what was typed cannot be played. */
  refusal: string;
  /** Somebody who sits here already has brought an invitation. */
  invited: boolean;
  /** What each move is worth is shown. */
  valued: boolean;
  /** It is asked whether one really resigns, or really deletes the match. */
  resigning: boolean;
  deleting: boolean;
  /** Whose name is being changed. */
  renaming: Player | null;
  /** The rules, and the menu, are shown. */
  ruling: boolean;
  menu: boolean;
  /** The panel beside the board is shown, on a screen that has no room for it. */
  more: boolean;
  /** A move is being typed, where one has no keys at hand. */
  typing: boolean;
  /** Why there is nothing to show. */
  error: ApiError | null;
};

/** An event as the handler of an element of ours gets it. */
export type On<Target extends EventTarget, Kind extends Event = Event> = Kind & { currentTarget: Target };
