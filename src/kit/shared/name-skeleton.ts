/**
 * Two names with the same skeleton look alike. The skeleton has no case, accents, spaces or signs; digits and letters of other scripts
 * become the Latin letters that they look like ("M0deratοr": "moderator"). It is for comparing, not for showing. Empty for a name
 * without letters and digits.
 */
export function skeletonOf(name: string): string {
  // replace look-alikes before folding case: capital Η looks like H, small η like n; upper case first, so that ß becomes SS
  const folded = inLatin(inLatin(name.normalize('NFKD')).toUpperCase().toLowerCase().normalize('NFKD'))
  const plain = folded
    .replace(/æ/g, 'ae')
    .replace(/œ/g, 'oe')
    .replace(/þ/g, 'p')
    .replace(/(?<=\p{L})@(?=\p{L})/gu, 'a')
    .replace(/\$/g, 's')
    .replace(/[|]/g, 'l')
    .replace(/[^\p{L}\p{N}]/gu, '')
  return plain
    .replace(/[013457l]/g, (each) => digits[each]!)
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
}

const inLatin = (text: string) => [...text].map((each) => lookAlikes.get(each) ?? each).join('')

/** Digits, and l, which looks like I and 1. The database function `handle_skeleton` has the same list for handles. */
const digits: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', l: 'i' }

/**
 * Latin letter -> letters that look like it, in either case. From Unicode's confusables.txt (UTS 39, version 13): the Latin, Greek,
 * Cyrillic, Armenian, Cherokee, Coptic and Lisu letters that NFKD does not fold, and small capitals.
 */
const lookAlikes = new Map(
  Object.entries({
    a: 'ɑΑαАаᎪᴀꓮ',
    b: 'ƀƂƃƄɓʙΒБВЬвѢѣҌҍᏏᏴꓐꞴ',
    c: 'ȼΣςСсҪҫᏟᴄⲤⲥꓚꮯ',
    d: 'ÐĐđƉƌɖɗԁᎠᏧᴅꓒꓓ',
    e: 'ɆɇΕεЕЗезєҽҿᎬᴇꓰꬲ',
    f: 'ƑƒϜքᵮẝꓝꞘꞙꬵ',
    g: 'ƍǤǥɠɡɢԌցᏀᏳᶃꓖ',
    h: 'ĦħɦʜΗНнћҢһӇӉհᎻᏂᏲⱧⲎꓧꚕ',
    i: 'ıɨɩɪιіӏᎥᵻᵼꙇꭵ',
    j: 'ɈɉͿϳЈјᎫᴊꓙꞲ',
    k: 'ƙΚκКкҚҞᏦᴋⱩⲔꓗꝀ',
    l: 'ŁłƖƗƚǀɫɭʟΙІӀᏞⲒⳐꓡꓲ',
    m: 'ΜϺМмӍᎷᴍⲘꓟ',
    n: 'ƝƞɳɴΝηոռᵰⲚꓠ',
    o: 'ØøƟɵΘΟθοσОоѲѳӨөՕօᎾᏫᴏᴑⲞⲟꓳꝊꝋꬽꬾꭴꮎꮻ',
    p: 'ƥΡρРрᏢᴘᵽⲢⲣꓑ',
    q: 'ʠԛգզ',
    r: 'ƦɍɼɽʀгғᎡᏒᴦᵲⲅꓣꭇꭈꮁ',
    s: 'ƽʂЅѕՏᏕᏚᵴꓢꜱꮪ',
    t: 'ŦŧƭƮȾΤτТтҬᎢᴛᵵⲦꓔ',
    u: 'ɄʋυՍսᏌᴜᵾꓴꞟꭎꭒꮜ',
    v: 'νѴѵᏙᴠꓦꮩ',
    w: 'ɯωѡѽԜԝաᎳᏔᴡꓪꝡꮃ',
    x: 'ΧХхҲⲬꓫꞳ',
    y: 'ƴɎɏɣʏΥγУуҮүҰұᎩᎽᶌỿⲨꓬꭚ',
    z: 'ƵƶȤȥʐΖᏃᴢᵶꓜꮓ',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
)
