// Sharing a link, saving and loading game records, the position as text.

import * as api from "./api.js";
import { byId, setText } from "./dom.js";
import { t } from "./i18n.js";
import { write } from "./state.js";

/** Longer files are no game records; the server would refuse them anyway. */
const LONGEST = 64 * 1024;

/** The comments of the record that was read last, and the moves they belong to. */
let comments = { moves: null, texts: [] };

/** Connects the buttons; `say` tells the reader what was done, `fail` shows a problem. */
export function connectRecords(session, say, fail) {
  byId("share").addEventListener("click", () => share(session, say));
  byId("save").addEventListener("click", () => save(session, say));
  byId("load").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", async () => {
    const [file] = byId("file").files;
    byId("file").value = "";
    if (file) await load(session, file, say, fail);
  });
}

export function drawRecords(session) {
  byId("position").value = session.view.position;
  byId("save").setAttribute("aria-disabled", String(!session.full.record));
  const known = comments.moves === session.state.moves.join();
  setText(byId("comment"), known ? (comments.texts[session.ply] ?? []).join(" ") : "");
}

/** The link goes into the clipboard, or into a field where that is not allowed. */
async function share(session, say) {
  const link = new URL(location.href);
  link.hash = write({ ...session.state, lang: "" });
  byId("link").value = link.href;
  byId("link-field").hidden = false;
  try {
    await navigator.clipboard.writeText(link.href);
    say(t("share.done"));
  } catch {
    byId("link").focus();
    byId("link").select();
    say(t("share.by-hand"));
  }
}

function save(session, say) {
  const { record, game } = session.full;
  if (!record) return;
  const address = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
  const anchor = Object.assign(document.createElement("a"), { href: address, download: `${game}.kpg` });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  say(t("save.done"));
}

async function load(session, file, say, fail) {
  if (file.size > LONGEST) {
    fail(new api.Problem(413, { detail: t("load.long", { name: file.name }) }));
    return;
  }
  try {
    const record = await api.parseRecord(await file.text());
    const mode = ["two", "analyse"].includes(session.state.mode) ? session.state.mode : "analyse";
    const changes = { game: record.game, options: record.options ?? "", loops: record.loops ?? "", start: record.start ?? "startpos", moves: record.moves, ply: 0, mode };
    comments = { moves: record.moves.join(), texts: record.comments ?? [] };
    if (await session.go(changes, "open")) say(t("load.done", { name: file.name, n: record.moves.length }));
  } catch (error) {
    fail(error);
  }
}

/** Shows a line of text where the eyes are. */
export function note(text) {
  setText(byId("note"), text);
}
