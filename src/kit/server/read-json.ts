import { tooMuchMemory, UnreadableFile } from './unreadable-file.ts'

/**
 * Parses JSON from outside.
 * @throws UnreadableFile for invalid JSON, and for a file of mostly brackets and commas, whose parsing would need gigabytes of memory
 */
export function readJson(text: string): unknown {
  // an object takes 60 to 300 bytes of memory, but may take only two bytes of the file; real files have a value per 15 bytes
  if (countValues(text) > 100_000 + text.length / 5) throw tooMuchMemory()
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidJson(text, (error as SyntaxError).message)
  }
}

function countValues(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === comma || code === bracket || code === brace) count++
  }
  return count
}

const [comma, bracket, brace] = [',', '[', '{'].map((sign) => sign.charCodeAt(0))

/** Replaces the engine's message, which is for developers. */
function invalidJson(text: string, message: string): UnreadableFile {
  const at = Number(/at position (\d+)/.exec(message)?.[1] ?? Number.NaN)
  if (/Unexpected end|Unterminated/.test(message) || at >= text.trimEnd().length)
    return new UnreadableFile('The file ends too early: its JSON is incomplete. Export it again.', {
      key: 'fileCutOff',
      values: { format: 'JSON' },
    })
  if (Number.isNaN(at))
    return new UnreadableFile('The file is not valid JSON.', { key: 'fileNoJson', values: { line: 0 } })
  const line = text.slice(0, at).split('\n').length
  return new UnreadableFile(`The file is not valid JSON: line ${line} has a mistake.`, {
    key: 'fileNoJson',
    values: { line },
  })
}
