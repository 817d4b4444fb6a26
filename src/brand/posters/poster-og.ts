import { drawPoster, type PosterOf } from './poster.ts'
import { letters } from './poster-letters.ts'
import { fixed } from '../../kit/shared/numbers.ts'

/**
 * The picture of a shared page, 1200 × 630: title, `by` (the business or place) and `facts` (price and time) on night, with the poster
 * beside them. Text is drawn as outlines, so no font is needed; characters without an outline become their base letter or are
 * left out, so no text can become mark-up. `photo`, a `data:` address of 480 × 630, replaces the poster.
 */
export function posterOgSvg({
  by,
  facts = '',
  photo,
  ...of
}: PosterOf & { by: string; facts?: string; photo?: string }): string {
  const beside = photo
    ? `<image x="720" y="0" width="480" height="630" href="${photo}"/>`
    : posterBeside(drawPoster(of))
  // if no letter of the title can be drawn, `by` becomes the heading
  const [heading = '', second = ''] = [of.title, by].map(writable).filter((text) => text !== '')
  const factLine = writable(facts)
  const size =
    [104, 88, 74, 62, 52, 42].find((size) => wrap(heading, size, 600).length * size <= (factLine ? 270 : 320)) ?? 42
  const lines = wrap(heading, size, 600).slice(0, factLine ? 6 : 7)
  const title = lines.map((line, row) => write(line, 64, 96 + size * 0.8 + row * size * 1.04, size, '#fbf6ee'))
  const below = write(cut(second, 34, 600), 64, 96 + lines.length * size * 1.04 + 58, 34, '#ffc247')
  const last = factLine ? write(cut(factLine, 34, 600), 64, 96 + lines.length * size * 1.04 + 104, 34, '#fbf6ee') : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630"><rect width="1200" height="630" fill="#0e1b2c"/>${title.join('')}${below}${last}${mark}${beside}</svg>`
}

const posterBeside = ({ ground, drawn }: ReturnType<typeof drawPoster>) =>
  `<svg x="720" y="0" width="480" height="630" viewBox="0 0 800 600" preserveAspectRatio="xMidYMid slice"><rect width="800" height="600" fill="${ground}"/>${drawn}</svg>`

/** The outlines of one line of text; `y` is its baseline. */
function write(text: string, x: number, y: number, size: number, fill: string): string {
  const scale = size / 1000
  let drawn = ''
  for (const [advance, path] of outlines(text)) {
    if (path)
      drawn += `<path transform="translate(${fixed(x, 1)} ${fixed(y, 1)}) scale(${scale} -${scale})" d="${path}"/>`
    x += advance * scale
  }
  return `<g fill="${fill}">${drawn}</g>`
}

/** Breaks a text into lines of at most `width` px. A word longer than a line is broken with a hyphen. */
function wrap(text: string, size: number, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.trim().split(/\s+/)) {
    if (line && measure(`${line} ${word}`, size) > width) {
      lines.push(line)
      line = ''
    }
    line = line ? `${line} ${word}` : word
    while (measure(line, size) > width) {
      let fits = line.length - 1
      while (fits > 1 && measure(`${line.slice(0, fits)}-`, size) > width) fits--
      lines.push(`${line.slice(0, fits)}-`)
      line = line.slice(fits)
    }
  }
  return line ? [...lines, line] : lines
}

/** The text on one line, cut with “…” if it is too long. */
function cut(text: string, size: number, width: number): string {
  const [first = '', ...more] = wrap(text, size, width)
  if (more.length === 0) return first
  let words = first.replace(/-$/, '')
  while (measure(`${words}…`, size) > width) words = words.slice(0, -1)
  return `${words.trimEnd()}…`
}

/** The text without characters that have no outline, and without the gaps they leave. */
const writable = (text: string) =>
  [...text]
    .filter((character) => /\s/.test(character) || outlines(character).length > 0)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

const measure = (text: string, size: number) =>
  outlines(text).reduce((sum, [advance]) => sum + advance * (size / 1000), 0)

const outlines = (text: string) =>
  [...text].flatMap((character) => {
    const known = letters[character] ?? letters[character.normalize('NFD')[0] ?? '']
    return known ? [known] : []
  })

const mark = `<g transform="translate(64 520) scale(1.5)" fill="none" stroke="#fbf6ee" stroke-width="4"><path d="M3 31V17A14 14 0 0 1 17 3q3.5 0 7 2t8 2"/><path d="M10.5 31V17.5a7 7 0 0 1 7-7q3.5 0 7 2t7.500 2"/><path stroke="#f2574a" d="M18 31V18.500q0-.5.5-.5 3 0 6 2t7.500 2"/></g>${write('Rheinklang', 132, 562, 44, '#fbf6ee')}`
