// Choices that outlive the page.

/** Reads or writes a choice; a browser may refuse both. */
export function remembered(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(`kpe.${name}`);
    localStorage.setItem(`kpe.${name}`, value);
  } catch {
    // Without storage the choice holds until the page is closed.
  }
  return null;
}
