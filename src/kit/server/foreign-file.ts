const starts: [key: string, kind: string, starts: RegExp][] = [
  ['zip', 'an Excel or ZIP file', /^PK\u0003\u0004/],
  ['office', 'an old Excel or Word file', /^\u00d0\u00cf\u0011\u00e0/],
  ['pdf', 'a PDF', /^%PDF-/],
  ['picture', 'a picture', /^(\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF....WEBP)/s],
  ['packed', 'a packed file', /^\u001f\u008b/],
  // as is saved where an error stood at the address
  ['web', 'a web page', /^(\u00ef\u00bb\u00bf)?\s*<(!doctype\s+html|html)\b/i],
]

/** What a file is that people hand in where a table is asked for: a key, and in English with its article; null: none of those. By its first bytes. */
export function foreignKind(bytes: Uint8Array): { key: string; kind: string } | null {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const found = starts.find(([, , start]) => start.test(head))
  return found ? { key: found[0], kind: found[1] } : null
}
