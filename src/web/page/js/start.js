// What the page asks for before anything else, its texts and the game of its address, while the rest is still loading.

import * as api from "./api.js";
import { fetchMessages, preferred } from "./i18n.js";
import { remembered } from "./memory.js";
import { read } from "./state.js";

/** The state that the address describes. */
export const state = read(location.hash);

/** The language by the address, the last choice, or the browser. */
export const language = preferred([state.lang, remembered("language"), ...(navigator.languages ?? [])].filter(Boolean));

/** Promises of the messages and of the game; whoever awaits them hears of a failure. */
export const messages = fetchMessages(language);
export const game = api.play(state);
messages.catch(() => {});
game.catch(() => {});
