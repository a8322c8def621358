// Choosing one of more numbers than there is room for: a slider, small and large steps, or typing.

import { Component, counted, html, valueTold } from "./parts.js";

/** @import { Group, On, Values } from "./types.js" */
/**
 * @typedef {object} DialProps
 * @property {NonNullable<Group["range"]>} range
 * @property {(move: string) => void} choose
 * @property {boolean} [playable] a press plays now
 * @property {string | null} [selected] the move that is being played
 * @property {Values | null} [values] what the moves are worth
 */

const STEPS = [-100, -10, -1, 1, 10, 100];

/** @extends {Component<DialProps, { text: string }>} */
export class Dial extends Component {
  state = { text: String(this.props.range.low) };

  /** @param {number} number */
  set = (number) => {
    const { low, high } = this.props.range;
    this.setState({ text: String(Math.min(high, Math.max(low, number))) });
  };

  /** @param {Event} event */
  submit = (event) => {
    event.preventDefault();
    const text = this.state.text.trim();
    if (text) this.props.choose(text);
  };

  /** @param {DialProps} props @param {{ text: string }} state */
  render({ range: { low, high }, playable, selected, values }, { text }) {
    const exact = Number.isSafeInteger(high); // beyond that a slider would miss numbers, and typing does not
    const number = Number(text);
    const value = values?.get(text);
    const digits = Math.max(text.length, String(high).length);
    return html`<form class="dial" data-testid="dial" style=${{ "--digits": digits }} onSubmit=${this.submit}>
      <p class="dial-top">
        <label class="unseen" for="dial-number">Your number, ${low} to ${high}</label>
        <input id="dial-number" class=${selected ? "selected" : ""} type="text" inputmode="numeric" autocomplete="off" enterkeyhint="go" value=${text}
          onInput=${(/** @type {On<HTMLInputElement>} */ event) => this.setState({ text: event.currentTarget.value })}
          onFocus=${(/** @type {On<HTMLInputElement>} */ event) => event.currentTarget.select()} />
        <button class="button primary" data-move=${text.trim()} data-testid="dial-play" aria-disabled=${playable ? null : "true"}>Play ${text.trim()}</button>
      </p>
      ${
        exact &&
        html`<input type="range" aria-label="Number" min=${low} max=${high} value=${Number.isFinite(number) ? number : low}
          onInput=${(/** @type {On<HTMLInputElement>} */ event) => this.set(event.currentTarget.valueAsNumber)} />
        <p class="dial-ends ${digits > 5 ? "long" : ""}" aria-hidden="true"><span>${low}</span><span>${value ? valueTold(value) : `${counted(high - low + 1, "number")} to choose from`}</span><span>${high}</span></p>
        <p class="dial-steps">${STEPS.filter((step) => Math.abs(step) < high - low).map(
          (step) =>
            html`<button key=${step} type="button" class="button" aria-label="${Math.abs(step)} ${step < 0 ? "less" : "more"}" onClick=${() => this.set((Number.isFinite(number) ? number : low) + step)}>${step < 0 ? "−" : "+"}${Math.abs(step)}</button>`,
        )}</p>`
      }
    </form>`;
  }
}
