// The record in the page's address, after the #. The link contains the whole record, and the server never sees it.

const LONGEST = 200000;

const MOST = 12 * 2 ** 20;

/** Sends bytes through a stream; throws an error if the result is larger than a record can be. */
async function through(stream, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    size += next.value.length;
    if (size > MOST) { reader.cancel(); throw new Error("too large"); }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A value as text for an address; null if that would be too long. */
export async function packed(value) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(value)));
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  const said = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return said.length > LONGEST ? null : said;
}

/** The value of such a text; null if the text is none. */
export async function unpacked(text) {
  try {
    if (text.length > LONGEST) return null;
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
  } catch {
    return null;
  }
}
