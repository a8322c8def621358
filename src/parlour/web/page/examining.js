// An exam in progress, without a server and without a rule: what is asked next follows from the sheets that the server has made,
// in the same order as at the terminal (study/mastery.py).

/** @import { Asked, ExamQuestion, ExamSheet, Table } from "./types.js" */

/** Answers that were kept and lead nowhere. */
export class Unfit extends Error {}

export class Examining {
  /** @type {string[]} questions that wait, by their names */
  todo = [];
  /** @type {string[]} those that were answered wrongly and come back */
  again = [];
  /** @type {Set<string>} all that were met */
  known = new Set();
  /** @type {string[]} by the names that answers are kept by */
  answers = [];
  mistakes = 0;

  /** @param {ExamSheet[]} sheets the first is that of the beginning */
  constructor(sheets) {
    this.sheets = sheets;
    this.restart();
  }

  get head() {
    return this.sheets[0];
  }

  restart() {
    this.todo = [...this.head.begin];
    this.again = [];
    this.known = new Set(this.todo);
    this.answers = [];
    this.mistakes = 0;
  }

  /** What is asked now; undefined if nothing is left. */
  get name() {
    return this.todo[0] ?? this.again[0];
  }
  get isOver() {
    return this.name === undefined;
  }
  /** How many were answered rightly. */
  get right() {
    return this.answers.length - this.mistakes;
  }

  /** The sheet that has a question. @param {string} name */
  sheetOf(name) {
    const sheet = this.sheets.find(({ questions }) => Object.hasOwn(questions, name));
    if (!sheet) throw new Unfit("a question is missing");
    return sheet;
  }

  /** @returns {ExamQuestion} */
  get question() {
    return this.sheetOf(this.name).questions[this.name];
  }

  /** The move that an answer was, by the name that it is kept by. @param {string} kept */
  moveOf(kept) {
    const found = this.isOver ? undefined : Object.entries(this.question.kept).find(([, name]) => name === kept);
    if (!found) throw new Unfit("an answer fits no question");
    return found[0];
  }

  /**
   * Mark a move; false if what follows it is on none of the sheets: then `follow` has to be told.
   * @param {string} move
   */
  answer(move) {
    const { name, question } = this;
    (this.todo.length ? this.todo : this.again).shift();
    this.answers = [...this.answers, question.kept[move]];
    if (!Object.hasOwn(question.right, move)) {
      this.mistakes += 1;
      this.again.push(name);
      return true;
    }
    const leads = this.sheets.map(({ questions }) => questions[name]?.right[move]).find((each) => each);
    if (leads) this.follow(leads);
    return Boolean(leads);
  }

  /** Put questions behind those that wait, but for those that were met before. @param {string[]} names */
  follow(names) {
    for (const name of names) {
      if (this.known.has(name)) continue;
      this.known.add(name);
      this.todo.push(name);
    }
  }

  /** The question as it is shown. @returns {Asked} */
  asked() {
    const { head, question } = this;
    const sheet = this.sheetOf(this.name);
    /** @param {number[][]} view @returns {Table["view"]} */
    const unpack = (view) =>
      view.map(([frame, ...rest]) => {
        const rows = [];
        for (let at = 0; at < rest.length; at += rest[at] + 1) {
          rows.push(rest.slice(at + 1, at + 1 + rest[at]).map((place) => sheet.tiles[place]));
        }
        return { ...sheet.frames[frame], rows };
      });
    const { moves } = question;
    const legal = Object.keys(question.kept);
    const table = { ...head.table, view: unpack(question.view), moves, token: moves.join("."), turn: head.side, legal };
    const wrong = Object.entries(question.wrong).map(([move, steps]) => [
      move,
      steps.map((step) => ({ ...step, view: unpack(step.view) })),
    ]);
    return {
      game: head.game,
      title: head.title,
      side: head.side,
      goal: head.goal,
      question: "",
      table,
      turns: [
        {
          right: Object.fromEntries(Object.keys(question.right).map((move) => [move, []])),
          wrong: Object.fromEntries(wrong),
        },
      ],
      name: `Master ${head.title}`,
      under: "",
      daily: null,
      date: null,
    };
  }
}
