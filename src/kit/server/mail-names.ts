const unseen = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** Every character that browsers and mail programs read as the dot of a host name (UTS 46), before a letter. */
const dotOfHost = /(?<=\S)([.\u2024\u3002\ufe52\uff0e\uff61])(?=[\p{Cf}\p{M}]*\p{L})/gu
const ipAddress = /\d{1,3}(?:\.\d{1,3}){3}/g

/**
 * A user's name in a form for mails. Mail programs link everything that looks like an address, so a person who signs up with a stranger's
 * email could put a link into our mail. Therefore a space follows each dot before a letter (`evil. com`) and the dots of an IP address,
 * `://` becomes `: `, and invisible characters and bidi controls are removed. `Bar 2.0` stays.
 */
export function nameInMail(name: string): string {
  return name
    .replace(unseen, '')
    .replace(/:[/\\]{2,}/g, ': ')
    .replace(/\\{2,}/g, '\\')
    .replace(dotOfHost, '$1 ')
    .replace(ipAddress, (address) => address.replaceAll('.', '. '))
}
