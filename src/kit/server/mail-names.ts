const unseen = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** Everything that browsers and mail programs take for the dot of a host (UTS 46), before what may begin its next label. */
const dotOfHost = /(?<=\S)([.\u2024\u3002\ufe52\uff0e\uff61])(?=[\p{Cf}\p{M}]*\p{L})/gu
const ipAddress = /\d{1,3}(?:\.\d{1,3}){3}/g

/**
 * A name that somebody chose, as mails to others show it. Mail programs make a link of anything that looks like the address
 * of a page, and whoever signs up with a stranger's email would so put a link into our mail. Therefore a space follows each
 * dot before a letter (`evil. com`, and `J. R. Ewing`) and the dots of an IP address, `://` becomes `: `, and characters
 * that cannot be seen or turn the line go. `Bar 2.0` stays.
 */
export function nameInMail(name: string): string {
  return name
    .replace(unseen, '')
    .replace(/:[/\\]{2,}/g, ': ')
    .replace(/\\{2,}/g, '\\')
    .replace(dotOfHost, '$1 ')
    .replace(ipAddress, (address) => address.replaceAll('.', '. '))
}
