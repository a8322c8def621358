// What is said before an exam and during it.

import { counted, html, Mark, sentence } from "./parts.js";

/** @import { Examining } from "./examining.js" */
/** @import { Solving } from "./solving.js" */

/** @param {{ exam: Examining, solving: Solving, said: string }} props */
export function ExamStatus({ exam, solving, said }) {
  const { phase, told } = solving;
  const number = exam.right + 1;
  const lines = {
    asking: html`${said && html`<span class="happened">${said}</span>`} <span class="whose"><${Mark} player=${exam.head.side} /> <strong>Question ${number} of about ${Math.max(number, exam.head.count)}.</strong> Which move ${exam.head.goal === "win" ? "wins" : "holds the draw"}?</span>`,
    refuting: html`<span class="happened">${told}</span> <span class="whose"><strong>Not that one.</strong> See why.</span>`,
    refuted: html`<span class="happened">${told}</span> <span class="whose"><strong>So it is not that one.</strong> ${said}</span>`,
  };
  return html`<div class="standing"><div class="status-row"><p id="status" tabindex="-1" class="status" data-testid="status">${lines[/** @type {"asking"} */ (phase)]}</p></div></div>`;
}

/**
 * What comes, before one begins.
 * @param {{ exam: Examining, card: { options: string, side: number }, said: string, begin: () => void, anew: () => void }} props
 */
export function Door({ exam, card, said, begin, anew }) {
  const { head } = exam;
  const begun = exam.answers.length > 0;
  const goal = head.goal === "win" ? "win" : "hold the draw";
  return html`<div class="page narrow">
      <h1 tabindex="-1">Master ${head.title}</h1>
      <p class="lede">${head.table.summary}</p>
      <p>${sentence(card.options)} ${card.side === 1 ? "You begin" : "The other player begins"}, and you can ${goal} whatever they do. You are asked each position that matters once: about <strong data-testid="count">${counted(head.count, "question")}</strong>. Mistakes are explained and come back.</p>
      ${begun && html`<p data-testid="exam-standing">You have answered ${exam.right} of them, with ${counted(exam.mistakes, "mistake")}.</p>`}
      ${said && html`<p role="status" class="bar" data-testid="said">${said}</p>`}
      <p class="row"><button class="button primary begin" data-testid="begin" onClick=${begin}>${begun ? "Go on" : "Begin"}</button>
        ${begun && html`<button class="button" data-testid="anew" onClick=${anew}>Begin again</button>`}
        <a class="button" href="/master">All exams</a></p>
    </div>`;
}

/** How it goes, and after a few mistakes the secret. @param {{ exam: Examining, told: boolean, tell: () => void }} props */
export function Standing({ exam, told, tell }) {
  const { secret, unlocks } = exam.head;
  return html`<section aria-labelledby="exam-heading"><h2 id="exam-heading">Your exam</h2>
            <p data-testid="exam-standing">${exam.right} of about ${exam.head.count} answered, ${counted(exam.mistakes, "mistake")}.</p>
            <p class="soft">Every answer is kept: leave when you like.</p>
            ${
              secret &&
              exam.mistakes >= unlocks &&
              (told
                ? html`<p data-testid="secret">The secret: ${secret}</p>`
                : html`<p>There is a short rule that wins here. <button class="button small" data-testid="tell-secret" onClick=${tell}>Tell me the secret</button></p>`)
            }
          </section>`;
}
