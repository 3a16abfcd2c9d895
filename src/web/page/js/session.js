// The game that the page shows: its moves, the ply that is looked at, and the answers of the server about it.
// It tells the page by `change`, `problem`, `thinking` and `values` events; it draws nothing.

import * as api from "./api.js";
import { initial } from "./state.js";

const REMEMBERED = 64;

export class Session extends EventTarget {
  /** The whole game, and the game up to the ply looked at, as `kpe.play/1` documents. */
  full = null;
  view = null;
  /** What the position looked at is worth (`kpe.best/1`), once it is known. */
  values = null;
  thinking = false;
  #documents = new Map();
  #others = new Map();
  #turn = 0;
  /** The ply that is being gone to, while the server is asked for it. */
  #aim = null;
  #stop = new AbortController();
  #stopValues = new AbortController();

  constructor(state) {
    super();
    this.state = state;
  }

  get ply() {
    return this.view.plies.length;
  }

  get atEnd() {
    return this.ply === this.full.plies.length;
  }

  /** The ply that led to the position looked at, or null at the start. */
  get last() {
    return this.view.plies.at(-1) ?? null;
  }

  /** Whether the engine plays the side that is to move. */
  get engineToMove() {
    return this.state.mode === "play" && !this.view.over && this.view.board.side !== this.state.side;
  }

  /** Whether the reader may move a pit here. */
  get mayMove() {
    return ["play", "two", "analyse"].includes(this.state.mode) && !this.view.over && !this.engineToMove && !this.thinking;
  }

  /**
   * Shows another state: asks the server for it and keeps what was shown if that fails. `cause` goes into the event:
   * "move" if a ply was made, "walk" if another one is looked at, "open" if it is another game.
   */
  async go(changes, cause) {
    this.#turn += 1;
    this.#aim = changes.ply ?? null;
    const turn = this.#turn;
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#setThinking(false);
    const state = { ...this.state, ...changes };
    try {
      const full = await this.#document(state, state.moves);
      const ply = state.ply === null ? full.plies.length : Math.min(state.ply, full.plies.length);
      const view = ply === full.plies.length ? full : await this.#document(state, state.moves.slice(0, ply));
      if (turn !== this.#turn) return false;
      const before = this.view;
      this.state = { ...state, ply: ply === full.plies.length ? null : ply };
      this.#show(full, view);
      this.#aim = null;
      this.#emit("change", { cause, before });
      return true;
    } catch (error) {
      if (error.name === "AbortError" || turn !== this.#turn) return false;
      this.#aim = null;
      this.#emit("problem", { error });
      return false;
    }
  }

  #show(full, view) {
    if (this.view?.position !== view.position || this.full?.options !== full.options) {
      this.#stopValues.abort();
      this.values = null;
    }
    this.full = full;
    this.view = view;
  }

  /** Takes the answer to a question that was put before there was a session. */
  expect(asked) {
    this.#documents.set(keyOf(this.state, this.state.moves), asked);
  }

  /** Makes a move at the ply looked at; what came after it is given up. */
  play(move) {
    return this.go({ moves: [...this.state.moves.slice(0, this.ply), move], ply: null }, "move");
  }

  /** Looks at another ply. */
  walk(ply) {
    const bounded = Math.max(0, Math.min(ply, this.full.plies.length));
    return bounded === (this.#aim ?? this.ply) ? Promise.resolve(false) : this.go({ ply: bounded }, "walk");
  }

  /** Looks some plies back or ahead; steps faster than the answers add up. */
  step(plies) {
    return this.walk((this.#aim ?? this.ply) + plies);
  }

  /** Takes back the last move; against the engine, back to the reader's own turn. */
  undo() {
    let keep = this.ply - 1;
    const own = (ply) => this.view.plies[ply].side === this.state.side;
    if (this.state.mode === "play") while (keep > 0 && !own(keep)) keep -= 1;
    return keep < 0 ? Promise.resolve(false) : this.go({ moves: this.state.moves.slice(0, keep), ply: null }, "walk");
  }

  /** Begins again from a start; the rules stay. */
  restart(start = "startpos", changes = {}) {
    return this.go({ ...changes, start, moves: [], ply: null }, "open");
  }

  /** Goes to the other game and keeps this one for the way back. */
  switchGame(game) {
    const { start, moves, ply, options, loops } = this.state;
    this.#others.set(this.state.game, { start, moves, ply, options, loops });
    const first = initial();
    const fresh = { start: first.start, moves: [], ply: null, options: "", loops: this.state.loops };
    return this.go({ game, ...(this.#others.get(game) ?? fresh) }, "open");
  }

  /** Lets the engine move where it is its turn. */
  async answer() {
    if (!this.engineToMove || !this.atEnd || this.thinking) return;
    const turn = this.#turn;
    this.#setThinking(true);
    try {
      const { move } = await api.choose(this.state, this.#stop.signal);
      if (turn !== this.#turn) return;
      this.#setThinking(false);
      await this.play(move);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#setThinking(false);
      if (error.name !== "AbortError") this.#emit("problem", { error, retry: () => this.answer() });
    }
  }

  /**
   * Asks what the position looked at is worth, as far as can be found out in each of these times; what is exact is not
   * asked again. The answer is the first one; later ones come as `values` events.
   */
  async assess(times = [500]) {
    if (this.view.over) return this.values;
    this.#stopValues.abort();
    const stop = new AbortController();
    this.#stopValues = stop;
    try {
      if (this.values === null) await this.#assess(times[0], stop.signal);
      if (times.length > 1) this.#improve(times.slice(1), stop.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.#emit("problem", { error });
    }
    return stop.signal.aborted ? null : this.values;
  }

  async #assess(milliseconds, signal) {
    const values = await api.assess(this.state, this.view.position, milliseconds, signal);
    if (signal.aborted) return;
    this.values = values;
    this.#emit("values", {});
  }

  /** Longer searches after a first answer. If the server is busy the first answer stands. */
  async #improve(times, signal) {
    try {
      for (const milliseconds of times) {
        if (signal.aborted || this.values?.source !== "search") return;
        await this.#assess(milliseconds, signal);
      }
    } catch {
      // Nothing is lost: the values shown are those of the shorter search.
    }
  }

  /** The document of a game, from the server or from memory. It is small: it is not stopped when it comes too late. */
  async #document(state, moves) {
    const key = keyOf(state, moves);
    const asked = this.#documents.get(key) ?? api.play({ ...state, moves });
    if (this.#documents.size >= REMEMBERED) this.#documents.delete(this.#documents.keys().next().value);
    this.#documents.set(key, asked);
    try {
      return await asked;
    } catch (error) {
      this.#documents.delete(key);
      throw error;
    }
  }

  #setThinking(on) {
    if (this.thinking === on) return;
    this.thinking = on;
    this.#emit("thinking", {});
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** What tells one game from another. */
function keyOf(state, moves) {
  return JSON.stringify([state.game, state.options, state.loops, state.start, moves]);
}
