import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  barNord,
  feature,
  fileMessages,
  geojson,
  ofPrograms,
  reportLines,
  rowMessages,
  total,
  useImports,
} from '../../../test/importing.ts'
import { UnreadableFile } from '../../kit/server/unreadable-file.ts'

const at = useImports()
const { take, stored, only } = at

describe('CSV', () => {
  it.each([
    ['commas', 'name,ort\n"Nord, Bar",Basel\n'],
    ['semicolons', 'name;ort\r\nNord, Bar;Basel\r\n'],
    ['tabs', 'name\tort\nNord, Bar\tBasel'],
    ['old line ends', 'name;ort\rNord, Bar;Basel\r'],
    ["Excel's line about the separator", 'sep=;\nname;ort\nNord, Bar;Basel\n'],
    ['a byte order mark', '\ufeffname;ort\nNord, Bar;Basel\n'],
    ['empty lines', '\n\nname;ort\n\n;\nNord, Bar;Basel\n\n'],
    ['capitals in its header', ' Betriebsname ;ORT\nNord, Bar;Basel\n'],
  ])('is read with %s', async (_, content) => {
    expect(total(await take(content))).toBe('1 read, 1 new, 0 changed, 0 same, 0 refused')
    expect(await only()).toMatchObject({ business_name: 'Nord, Bar', address: 'Basel' })
  })
  it('may have line breaks and quotes in cells, and later line numbers are right', async () => {
    const report = await take('name,address\n"Bar ""Nord""","Rheingasse 1\n4058 Basel"\n,\n,nowhere\n')
    expect(await only()).toMatchObject({ business_name: 'Bar "Nord"', address: 'Rheingasse 1 4058 Basel' })
    expect(rowMessages(report)).toEqual(['line 5: refused: has no name'])
  })
  it('keeps formulas as plain text', async () => {
    await take('name,address\n"=HYPERLINK(""http://x.example"",""Bar"")","@SUM(1+1)*cmd|\'/C calc\'!A0"\n')
    expect(await only()).toMatchObject({
      business_name: '=HYPERLINK("http://x.example","Bar")',
      address: "@SUM(1+1)*cmd|'/C calc'!A0",
    })
  })
  it('may have positions with decimal commas, or in one column', async () => {
    await take('osm;name;lat;lon;geo_point_2d\nnode/1;Eins;47,5601;7,5897;\nnode/2;Zwei;;;47.5601, 7.5897\n')
    expect((await stored()).map(({ latitude, longitude }) => [latitude, longitude])).toEqual([
      [47.5601, 7.5897],
      [47.5601, 7.5897],
    ])
  })
  it('that is not UTF-8 is read as Windows-1252, with a note', async () => {
    const windows = Buffer.from('name;ort\nCaf\xe9 \x96 \x93Bar\x94;Z\xfcrich\n', 'latin1')
    expect(fileMessages(await take(windows))).toContain(
      'list: note: The file is not UTF-8: its letters were read as Windows-1252.',
    )
    expect(await only()).toMatchObject({ business_name: 'Café – “Bar”', address: 'Zürich' })
  })
  it('is read as Excel’s Unicode text', async () => {
    await take(Buffer.from('\ufeffname\tort\nCafé\tZürich\n', 'utf16le'))
    expect(await only()).toMatchObject({ business_name: 'Café', address: 'Zürich' })
  })
  it.each(['\n', '\r\n', '\r'])(
    'of blank lines is read as if they were not there, counted as seen (%j)',
    async (end) => {
      const blank = '\n'.repeat(3_000_000) + ' ;\n'.repeat(1_000_000)
      const content = `sep=;\nname;ort\n${blank}Eins;"Basel\n\n ; \nStadt"\n${blank};Zwei\n${blank}`
      const report = await take(content.replaceAll('\n', end))
      expect((await only()).business_name).toBe('Eins')
      expect(rowMessages(report)).toEqual(['line 8000007: refused: has no name'])
    },
  )
  it('with NUL in a cell has that row refused', async () => {
    expect(rowMessages(await take('name,ort\nEins,Basel im Sommer\nZw\0ei,Basel im Winter\n'))).toEqual([
      'line 3 (Zw ei): refused: its name contains control characters: type it again',
    ])
  })
})

describe('a file is refused as a whole', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['that is empty', '', /is empty/],
    ['of white space', '\ufeff \n\n', /is empty/],
    ['of GeoJSON cut off in a text', geojson(feature(barNord)).slice(0, 60), /ends too early: its JSON is incomplete/],
    ['of GeoJSON cut off between rows', geojson(feature(barNord), feature(barNord)).slice(0, -3), /ends too early/],
    ['of JSON with a fault', '{"features":[{]}', /not valid JSON: line 1 has a mistake/],
    ['of other JSON', '{"name":"Bar"}', /no list “features”/],
    ['of a JSON list', '[1]', /no list “features”/],
    ['without features', geojson(), /holds no features/],
    ['of GeoJSON in Latin-1', Buffer.from(geojson(feature({ name: 'Café' })), 'latin1'), /not in UTF-8/],
    ['of CSV without rows', 'name,lat,lon\n', /no rows below its header/],
    ['of CSV without a column of names', 'titel,ort\nEins,Basel\n', /no column "name"/],
    [
      'of CSV with an open quote',
      'name,ort\nEins,Basel\n"Zwei,Basel\nDrei,Basel\nVier,Basel\n',
      /row of line 3 opens a quote that is never closed/,
    ],
    [
      'of CSV with a stray quote, which may swallow rows',
      'name,ort\n"Eins,Basel\n"Zwei",Basel\n',
      /Line 3 has a quote in the wrong place/,
    ],
    [
      'of too many rows',
      `name,ort\n${'a,b\n'.repeat(1_200_000)}`,
      /^The file has more than 1,100,000 rows\. Split it\.$/,
    ],
    ['of nothing but brackets', `{"features":[{}${',{}'.repeat(1_200_000)}]}`, /takes too much memory/],
    [
      'of CSV whose row never ends',
      `name,ort\n\nEins${','.repeat(1_200_000)}\n`,
      /^The row of line 3 has more than 1,000,000 characters/,
    ],
    [
      'of CSV with a stray quote below blank lines',
      'name,ort\n\n;\n\n"Eins,Basel\n"Zwei",Basel\n',
      /Line 6 has a quote in the wrong place/,
    ],
    ['of ZIP', Buffer.from('PK\u0003\u0004xlsx'), /ZIP file, but not a readable Excel workbook/],
    ['of PDF', '%PDF-1.7\n1 0 obj << /Type /Catalog >>', /is a PDF\. Save the table as Excel \(\.xlsx\) or CSV/],
    ['that is a web page', '\ufeff \n<!DOCTYPE html>\n<title>Log in</title>', /is a web page\./],
    ['that is a picture', new Uint8Array(400).fill(7, 0, 100), /not a text file/],
  ])('%s', async (_, content, reason) => {
    await expect(async () => take(content)).rejects.toThrow(UnreadableFile)
    await expect(async () => take(content)).rejects.toThrow(reason)
    expect(await stored()).toEqual([])
  })
})

const awkward = new URL('../../../test/awkward/', import.meta.url)
it.each(readdirSync(awkward))('the awkward file %s is imported or refused with an explanation', async (name) => {
  const lines = async () => reportLines(await take(readFileSync(new URL(name, awkward)))).join('\n')
  const words = await lines().catch((error: unknown) => {
    if (!(error instanceof UnreadableFile)) throw error
    return error.message
  })
  expect(words).not.toMatch(ofPrograms)
})
