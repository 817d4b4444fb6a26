import { describe, expect, it } from 'vitest'
import { feature, fileMessages, geojson, onTheBridge, rowMessages, total, useImports } from '../../../test/importing.ts'

const at = useImports()
const { take, stored, only } = at

describe('a row is refused with its reason', () => {
  const cases: [string, unknown, string | RegExp][] = [
    ['without a name', feature({ osm: 'node/1', name: ' \u00a0 ' }), 'feature 1: refused: has no name (osm: node/1)'],
    [
      'with a tower of accents for a name',
      feature({ name: `Z${'\u0301'.repeat(20)}` }),
      /refused: its name cannot be read/,
    ],
    ['with a name of nothing visible', feature({ name: '\u200b' }), /refused: has no name/],
    ['with a name that is a list', feature({ name: ['a'] }), /refused: has no name/],
    [
      'with a name of 10,000 characters',
      feature({ name: 'x'.repeat(10_000) }),
      /^feature 1 \(x{59}…\): refused: its name has 10,000 characters; the maximum is 80: shorten it$/,
    ],
    [
      'with NUL in its name',
      feature({ name: 'Bar\u0000Nord' }),
      'feature 1 (Bar Nord): refused: its name contains control characters: type it again',
    ],
    ['with half a character in its name', feature({ name: 'Bar \ud800' }), /control characters/],
    [
      'with a terminal sequence in its address',
      feature({ name: 'Bar', address: '\u001b[2J' }),
      /its address contains control characters/,
    ],
    ['with a mark that turns the reading direction', feature({ name: 'Bar \u202eNord' }), /control characters/],
    [
      'with control characters in its hours',
      feature({ name: 'Bar', opening_hours: '24/7\u0007' }),
      /its opening_hours contains control characters/,
    ],
    ['without properties', feature(null), /refused: has no properties/],
    ['that is no feature', { name: 'Bar' }, /refused: is not a GeoJSON feature/],
    ['that is null', null, /refused: is not a GeoJSON feature/],
    [
      'that is a line',
      feature(
        { name: 'Bar' },
        {
          type: 'LineString',
          coordinates: [
            [7, 47],
            [7, 48],
          ],
        },
      ),
      /refused: is a LineString, neither a point nor an area/,
    ],
    [
      'that is an area without size',
      feature(
        { name: 'Bar' },
        {
          type: 'Polygon',
          coordinates: [
            [
              [7, 47],
              [7, 47],
              [7, 47],
              [7, 47],
            ],
          ],
        },
      ),
      /refused: is an area of no size/,
    ],
    [
      'that is a broken area',
      feature({ name: 'Bar' }, { type: 'Polygon', coordinates: [[7, 47]] }),
      /refused: is an area with a broken outline/,
    ],
    [
      'with words for coordinates',
      feature({ name: 'Bar' }, { type: 'Point', coordinates: ['east', 'north'] }),
      /refused: its coordinate “north” is not a number/,
    ],
    [
      'with lists for coordinates',
      feature(
        { name: 'Bar' },
        {
          type: 'Point',
          coordinates: [
            [7, 5],
            [47, 5],
          ],
        },
      ),
      /is not a number/,
    ],
    [
      'beyond the pole',
      feature({ name: 'Bar' }, { type: 'Point', coordinates: [7, 91] }),
      /refused: its coordinates 7, 91 are not degrees$/,
    ],
    [
      'in national coordinates',
      feature({ name: 'Bar' }, { type: 'Point', coordinates: [2611000, 1267000] }),
      /convert Swiss national coordinates to WGS 84 first/,
    ],
    ['that closed for good', feature({ name: 'Bar', betriebsstatus: 'Geschlossen' }), /refused: has closed for good/],
  ]
  it.each(cases)('%s', async (_, row, line) => {
    const report = await take(geojson(row, feature({ name: 'Good' })))
    expect(total(report)).toBe('2 read, 1 new, 0 changed, 0 same, 1 refused')
    expect(rowMessages(report)).toEqual([typeof line === 'string' ? line : expect.stringMatching(line)])
  })
  it('with the id of an earlier row, which the report names', async () => {
    const report = await take(
      'osm,name,ort\nnode/1,Eins,Basel\n\nnode/1,Zwei,Basel\nnode/2,,Basel\nnode/2,Drei,Basel\n',
    )
    expect(rowMessages(report)).toEqual([
      'line 4 (Zwei): refused: has the same id as line 2 (osm:node/1)',
      'line 5: refused: has no name (osm: node/2)',
    ])
    expect(total(report)).toBe('4 read, 2 new, 0 changed, 0 same, 2 refused')
  })
  it('with the name and place of an earlier row, when neither has an id', async () => {
    expect(rowMessages(await take(geojson(feature({ name: 'Eins' }), feature({ name: ' EINS' }))))).toEqual([
      expect.stringMatching(/^feature 2 \(EINS\): refused: has the same name and place as feature 1/),
    ])
  })
  it('with more or fewer cells than the header', async () => {
    expect(rowMessages(await take('name,lat,lon\nEins,47.56,7.59\nZwei,47,56,7,59\nDrei,47.5'))).toEqual([
      expect.stringMatching(/^line 3 \(Zwei\): refused: it has 5 cells where the header has 3/),
      expect.stringMatching(/^line 4 \(Drei\): refused: it has 2 cells where the header has 3/),
    ])
  })
})

describe('a row is corrected, with a note', () => {
  const place = async () => {
    const { latitude, longitude } = await only()
    return [latitude, longitude]
  }
  it('when latitude and longitude are swapped', async () => {
    const report = await take(geojson(feature({ name: 'Bar' }, { type: 'Point', coordinates: [47.5601, 7.5897] })))
    expect(rowMessages(report)).toEqual(['feature 1 (Bar): note: had latitude and longitude swapped: corrected'])
    expect(await place()).toEqual([47.5601, 7.5897])
  })
  it.each([
    ['at 0, 0', { type: 'Point', coordinates: [0, 0] }, 1],
    ['with half a position', { type: 'Point', coordinates: [7.5897] }, 1],
    ['with an empty position', { type: 'Point', coordinates: [] }, 0],
    ['with a position of nulls', { type: 'Point', coordinates: [null, null] }, 0],
    ['without geometry', null, 0],
  ])('%s it is imported without a location', async (_, geometry, notes) => {
    const report = await take(geojson(feature({ name: 'Bar', address: 'Rheingasse 1' }, geometry)))
    expect(rowMessages(report)).toHaveLength(notes)
    expect(await place()).toEqual([null, null])
  })
  it('with neither position nor address it is taken, and named', async () => {
    expect(rowMessages(await take(geojson(feature({ name: 'Bar' }, null))))).toEqual([
      'feature 1 (Bar): note: has neither a location nor an address: the map cannot show it',
    ])
  })
  it('when it lies abroad: the position is kept', async () => {
    await take(geojson(feature({ name: 'Bar' }, { type: 'Point', coordinates: [13.4, 52.5] })))
    expect(await place()).toEqual([52.5, 13.4])
  })
  it.each([
    ['texts', { type: 'Point', coordinates: ['7.5897', '47.5601'] }],
    ['texts with decimal commas', { type: 'Point', coordinates: ['7,5897', '47,5601'] }],
    ['three numbers', { type: 'Point', coordinates: [7.5897, 47.5601, 260.1] }],
  ])('when its position is %s', async (_, geometry) => {
    expect(rowMessages(await take(geojson(feature({ name: 'Bar' }, geometry))))).toEqual([])
    expect(await place()).toEqual([47.5601, 7.5897])
  })
  it('when it has several points: the first one is used', async () => {
    const several = { type: 'MultiPoint', coordinates: [onTheBridge.coordinates, [7.6, 47.6]] }
    expect(rowMessages(await take(geojson(feature({ name: 'Bar' }, several))))).toEqual([
      'feature 1 (Bar): note: has several points: the first one is used',
    ])
    expect(await place()).toEqual([47.5601, 7.5897])
  })
  it('when it is an area: a point inside is used, also for a horseshoe, a ring and several islands', async () => {
    const square = (x: number, y: number, size: number) => [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
      [x, y],
    ]
    const horseshoe = [
      [7, 47],
      [7.9, 47],
      [7.9, 47.9],
      [7.6, 47.9],
      [7.6, 47.1],
      [7.3, 47.1],
      [7.3, 47.9],
      [7, 47.9],
      [7, 47],
    ]
    const report = await take(
      geojson(
        feature({ osm: 'way/1', name: 'Square' }, { type: 'Polygon', coordinates: [square(7.5, 47.5, 0.1)] }),
        feature({ osm: 'way/2', name: 'Horseshoe' }, { type: 'Polygon', coordinates: [horseshoe] }),
        feature(
          { osm: 'way/3', name: 'Ring' },
          { type: 'Polygon', coordinates: [square(7, 47, 0.9), square(7.1, 47.1, 0.7)] },
        ),
        feature(
          { osm: 'way/4', name: 'Islands' },
          { type: 'MultiPolygon', coordinates: [[square(7, 47, 0.1)], [square(8, 47, 0.4)]] },
        ),
      ),
    )
    expect(rowMessages(report)).toEqual([expect.stringMatching(/is an area.* \(and 3 more rows\)$/)])
    const places = (await stored()).map(({ latitude, longitude }) => [longitude!, latitude!] as const)
    expect(places[0]).toEqual([7.55, 47.55])
    const [, [x, y], [ringX], island] = places as [never, [number, number], [number, number], [number, number]]
    expect(x < 7.3 || x > 7.6 || y < 47.1).toBe(true)
    expect(ringX < 7.1 || ringX > 7.8).toBe(true)
    expect(island).toEqual([8.2, 47.2])
  })
  it('when its name has extra white space', async () => {
    await take(geojson(feature({ name: '  Bar \t\n Nord\u00a0' })))
    expect(await only()).toMatchObject({ business_name: 'Bar Nord' })
  })
  it('when a wrong encoding spoilt its name: the name is kept', async () => {
    expect(rowMessages(await take(geojson(feature({ name: 'CafÃ© Rhein' }))))).toEqual([
      expect.stringContaining('wrong encoding'),
    ])
  })
  it('when an optional text is too long: the text is left out', async () => {
    const report = await take(
      geojson(feature({ name: 'Bar', address: 'x'.repeat(201), opening_hours: 'y'.repeat(501) })),
    )
    expect(rowMessages(report)).toHaveLength(2)
    expect(await only()).toMatchObject({ address: null, open_hours: null, hours_known: false })
  })
})

describe('columns', () => {
  it.each([
    [
      'German',
      'Firma;Straße;Hausnummer;PLZ;Ort;Kategorie;Telefon;Webseite;Öffnungszeiten;Breite;Länge;Beschreibung\n' +
        'Café Süd;Rheingasse;1;4058;Basel;Getränke;061 000 01 01;www.sued.example;Mo-Fr 09:00-18:00;47,5601;7,5897;Am Rhein\n',
    ],
    [
      'French',
      'Nom,Rue,Numéro,Code postal,Ville,Catégorie,Téléphone,Site web,Horaires,Latitude,Longitude,Description\n' +
        'Café Süd,Rheingasse,1,4058,Basel,Boissons,061 000 01 01,www.sued.example,Mo-Fr 09:00-18:00,47.5601,7.5897,Am Rhein\n',
    ],
    [
      'English with tabs',
      'Business name\tStreet\tHouse number\tZIP code\tCity\tCategory\tPhone\tWebsite\tOpening hours\tlat\tlng\tDescription\n' +
        'Café Süd\tRheingasse\t1\t4058\tBasel\tDrinks\t061 000 01 01\twww.sued.example\tMo-Fr 09:00-18:00\t47.5601\t7.5897\tAm Rhein\n',
    ],
    [
      'OpenStreetMap with underscores',
      'name,addr_street,addr_housenumber,addr_postcode,addr_city,amenity,contact_phone,contact_website,opening_hours,@lat,x,y,description\n' +
        'Café Süd,Rheingasse,1,4058,Basel,bar,061 000 01 01,www.sued.example,Mo-Fr 09:00-18:00,,7.5897,47.5601,Am Rhein\n',
    ],
  ])('are recognised in %s', async (_, table) => {
    const report = await take(table)
    expect(fileMessages(report).join()).not.toContain('Not read')
    expect(await only()).toMatchObject({
      business_name: 'Café Süd',
      address: 'Rheingasse 1, 4058 Basel',
      category: 'drinks',
      phone: '061 000 01 01',
      website: 'https://www.sued.example/',
      open_hours: 'Mo-Fr 09:00-18:00',
      latitude: 47.5601,
      longitude: 7.5897,
      description: 'Am Rhein',
    })
  })
  it('x and y are a position only if they are degrees', async () => {
    const report = await take('name,address,x,y\nBar,Rheingasse 1,2611000,1267000\n')
    expect(fileMessages(report)).toContain('list: note: Not read: x, y.')
    expect(await only()).toMatchObject({ latitude: null, longitude: null })
  })
  it('below a title are found', async () => {
    await take('Merchants 2026;;\n;;\nName;PLZ;Ort\nBar;4058;Basel\n')
    expect(await only()).toMatchObject({ business_name: 'Bar', address: '4058 Basel' })
  })
  it('that hold something and are not read are named once, also repeated ones', async () => {
    const table =
      'id;Name;Öffnungszeiten;Hours;lat.;lon;PLZ;;Empty;Colour;name\n1;Bar Nord;24/7;24/7;47.5;7.6;4058;x;;red;Bar\n'
    expect(fileMessages(await take(table, { dryRun: true }))).toContain('list: note: Not read: Hours, Colour, name.')
    expect(
      fileMessages(
        await take(geojson(feature({ name: 'Bar', colour: 'red', tags: { a: 1 }, none: null })), { dryRun: true }),
      ),
    ).toContain('list: note: Not read: colour, tags.')
  })
})
