/**
 * What a name looks like: two names with the same skeleton can be mistaken for each other. Case, accents, spaces and signs do not
 * count, letters of other scripts become the Latin ones that they look like, and so do digits ("M0deratοr" is "moderator"). To
 * compare, never to show. Empty where the name has no letter or digit.
 */
export function skeletonOf(name: string): string {
  // before case is folded: the capital Η looks like H, its small η like n; upper case first, so that ß is SS
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

/** l, I and 1 cannot be told from each other. The function `handle_skeleton` of the database knows the same for handles. */
const digits: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', l: 'i' }

/**
 * Letters by the Latin letter that they look like, in either case: those of the Latin, Greek, Cyrillic, Armenian, Cherokee, Coptic
 * and Lisu scripts in Unicode's confusables.txt (UTS 39, version 13), without what NFKD folds, and with small capitals.
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
