/** Words and phrases of spam, lower case; a new member's post that holds one waits for a moderator. */
const listed = [
  'casino',
  'viagra',
  'cialis',
  'porn',
  'escort service',
  'crypto investment',
  'bitcoin investment',
  'forex',
  'payday loan',
  'work from home',
  'make money fast',
  'earn money online',
  'click here to claim',
  'free followers',
  'buy followers',
  'whatsapp me',
  'telegram channel',
  'replica watches',
  'schnell geld verdienen',
  'geld verdienen online',
  'sofortkredit',
  'gagner de l argent rapidement',
  'crédit immédiat',
]

/** Letters that are drawn alike, and those between them, do not hide a word. */
export function listedWordIn(text: string): boolean {
  const folded = ` ${fold(text)} `
  return patterns.some((pattern) => folded.includes(pattern))
}

const lookalikes: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', $: 's', '@': 'a' }

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[01345$@]/g, (letter) => lookalikes[letter]!)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')

const patterns = listed.map((words) => ` ${fold(words)} `)
