/** Spam words, lower case. New members' posts with one of them wait for approval. */
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

/** Look-alike characters, accents and invisible characters do not hide a word. */
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
