import { describe, expect, it } from 'vitest'
import { demoBusinesses } from '../../businesses/demo/demo-businesses.ts'
import { demoForum } from '../../forum/demo/demo-forum.ts'
import { skeletonOf } from '../../kit/shared/name-skeleton.ts'
import { looksOfficial } from './reserved-names.ts'

describe('the skeleton of a name', () => {
  it.each([
    ['Аda', 'Cyrillic А'],
    ['Αda', 'Greek Α'],
    ['Ꭺda', 'Cherokee Ꭺ'],
    ['ÁDÁ', 'accents and capitals'],
    ['Ａｄａ', 'full width'],
    ['𝐀𝐝𝐚', 'mathematical letters'],
    ['A d-a', 'spaces and signs'],
    ['ᴀᴅᴀ', 'small capitals'],
    ['4d4', 'digits'],
  ])('of %s is that of Ada (%s)', (name) => expect(skeletonOf(name)).toBe(skeletonOf('Ada')))

  it.each([
    ['Lina', 'IINA'],
    ['Bernd', 'Bemd'],
    ['Groß', 'GROSS'],
    ['Willi', 'VViIIi'],
    ['Сергей', 'CЕРГЕЙ'],
  ])('of %s and %s is the same', (one, other) => expect(skeletonOf(one)).toBe(skeletonOf(other)))

  it.each([
    ['Ada', 'Adam'],
    ['Anna', 'Hanna'],
    ['Jonas', 'Jonah'],
    ['Анна', 'Инна'],
  ])('of %s and %s differs', (one, other) => expect(skeletonOf(one)).not.toBe(skeletonOf(other)))
})

describe('a name', () => {
  it.each([
    ...'Rheinklang|RHEINKLANG|Rheinklang Team|Team Rheinklang|The Rheinklang Crew|Rhe1nklang|Rheinkl@ng'.split('|'),
    ...'Rhеinklаng Support|Rheinklangbar|R h e i n k l a n g|Reinklang?Rheinklang!|Rheinklang 2026'.split('|'),
    ...'Moderator|moderators|Moderatorin|Modérateur|M0derator|Mоderаtor|Moderator Anna|TheRealModerator'.split('|'),
    ...'Admin|ADMIN|@Admin|Admin1|2Admin|A d m i n|Adrnin|AdminAnna|Anna (Admin)|Festival-Admins'.split('|'),
    ...'Staff|Festival Staff|Organiser|Organizer|Veranstalterin|Organisateur|Organisatrice|Festivalleitung'.split('|'),
    ..."Team|the team|Support|Support-Team|Official Info|Équipe|L'équipe du festival|Das Team vom Festival".split('|'),
    ...'Ａｄｍｉｎ|𝐌𝐨𝐝𝐞𝐫𝐚𝐭𝐨𝐫|ᴍᴏᴅᴇʀᴀᴛᴏʀ'.split('|'),
  ])('%s looks official', (name) => expect(looksOfficial(name, 'Rheinklang')).toBe(true))

  it.each([
    ...'Anna|Team Lena|Dream Team Pizza|Café Rhein|Rheinblick|Klangwolke|Modena|Admiral|Organic Bar'.split('|'),
    ...'Staffelegg|Adminton|Le|Von|D|🙂|Migros|Support Your Local Bar|Personal Coffee|24|Die Bar'.split('|'),
    ...demoBusinesses().map(({ business_name }) => business_name),
    ...demoForum()
      .people.filter(({ role }) => role !== 'moderator')
      .map(({ display_name }) => display_name),
  ])('%s does not', (name) => expect(looksOfficial(name, 'Rheinklang')).toBe(false))

  it.each([
    ['Big O', 'big o team', true],
    ['Big O', 'Bigo', true],
    ['Big O', 'Big Oven', false],
    ['Open Air', 'Open Air Crew', true],
    ['Imagine', 'Imagine!', true],
    ['Imagine', 'Imaginerie', false],
    ['🎵', '🎵', false],
  ])('of the festival %s is looked for in %s: %s', (festival, name, is) =>
    expect(looksOfficial(name, festival)).toBe(is),
  )
})
