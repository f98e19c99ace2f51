// Questions to the server. The server keeps no state, so each question contains everything that it is about.

/** The error of a question that was refused or not decided: its sentence and, if there is one, its place in a text. */
export class Refusal extends Error {
  constructor(answer, status) {
    super(answer.error || "the server does not answer");
    this.open = !!answer.open;
    this.line = answer.line;
    this.column = answer.column;
    this.wants = answer.wants;
    this.status = status;
  }
}

/** Asks a question and returns the answer; throws a Refusal if there is none. */
export async function ask(name, data, signal) {
  let response;
  try {
    response = await fetch("/ask/" + name, {
      method: "POST",
      headers: {"Content-Type": "application/json"},
      body: JSON.stringify(data),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal({error: "the server cannot be reached: is kaiser-logic serve still running?"}, 0);
  }
  const text = await response.text();
  let answer;
  try { answer = JSON.parse(text); } catch { answer = {error: text.slice(0, 300)}; }
  if (!response.ok) throw new Refusal(answer, response.status);
  return answer;
}

/** A function like `ask` that cancels its earlier call when it is called again; `stop()` cancels the last one. */
export function latest() {
  let running = null;
  const stop = () => { running?.abort(); running = null; };
  const asked = async (name, data) => {
    stop();
    const mine = running = new AbortController();
    try {
      const answer = await ask(name, data, mine.signal);
      mine.signal.throwIfAborted(); // it may have been cancelled after its answer was read
      return answer;
    } catch (error) {
      mine.signal.throwIfAborted();
      throw error;
    } finally {
      if (running === mine) running = null;
    }
  };
  return Object.assign(asked, {stop});
}
