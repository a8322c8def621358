// A word about progress that could not be read, or that a clock contradicts: nothing of it is thrown away.

import { Component, html } from "./parts.js";
import { damaged, dateTold, dayHere, forgetDamaged, onProgress, progress } from "./progress.js";

/** The newest day on which something was solved or practised. */
function newestDay() {
  const { daily, mistakes } = progress();
  return [...Object.values(daily), ...Object.values(mistakes)].reduce(
    (newest, { date }) => (date > newest ? date : newest),
    "",
  );
}

/** Have a text saved as a file. @param {string} text @param {string} name @param {string} type */
export function save(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export class Damaged extends Component {
  forgetProgress = () => {};
  componentDidMount() {
    this.forgetProgress = onProgress(() => this.forceUpdate());
  }
  componentWillUnmount() {
    this.forgetProgress();
  }
  forget = () => {
    forgetDamaged();
    this.forceUpdate();
  };
  render() {
    const newest = newestDay();
    const text = damaged();
    return html`${
      newest > dayHere() &&
      html`<p class="bar" data-testid="clock">The clock says ${dateTold(dayHere())}, but you have been here on ${dateTold(newest)}. Nothing is lost by it.</p>`
    }
    ${
      text &&
      html`<p class="bar" data-testid="damaged"><span>Something that was kept here could not be read. The rest counts, and what was there is set aside.</span>
        <button class="button small" onClick=${() => save(text, "parlour-damaged.json", "application/json")}>Save it as a file</button>
        <button class="button small" onClick=${this.forget}>Forget it</button></p>`
    }`;
  }
}
