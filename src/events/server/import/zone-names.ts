import { importText, type ImportText } from '../../../kit/server/import-text.ts'
import { isZone } from './read-times.ts'

/**
 * The IANA zone that a calendar means by `name`: its own name, the name of Windows, the path of Evolution or Mozilla, an offset, an
 * abbreviation or the cities that Outlook lists. null: unknown.
 */
export function zoneNamed(name: string): string | null {
  const label = name.trim().slice(0, 200)
  const alias = abbreviations.get(label.toUpperCase())
  if (alias) return alias
  if (isZone(label)) return label
  return ofWindows.get(label.toLowerCase()) ?? ofPath(label) ?? ofCities(label) ?? offsetOf(label)
}

/** The zone of a file that may name one, with a note where its name is unknown. `assumed`: the zone of the festival. */
export function zoneOfFile(name: string, assumed: string): { zone: string; notes: ImportText[] } {
  const zone = name === '' ? assumed : zoneNamed(name)
  if (zone) return { zone, notes: [] }
  return { zone: assumed, notes: [importText('fileZoneUnknown', { zone: name.slice(0, 60), read: assumed })] }
}

/** "/freeassociation.sourceforge.net/Europe/Zurich", "/mozilla.org/20050126_1/Europe/Berlin", "Europe/Zurich 1" */
function ofPath(label: string): string | null {
  const parts = label.replace(/ \d+$/, '').split('/').filter(Boolean)
  return [3, 2].map((n) => parts.slice(-n).join('/')).find((each) => each.includes('/') && isZone(each)) ?? null
}

const regions = ['Europe', 'America', 'Asia', 'Africa', 'Australia', 'Atlantic', 'Pacific', 'Indian']

/** "(UTC+01:00) Amsterdam, Berlin, Bern", "Zurich" */
function ofCities(label: string): string | null {
  const cities = label.replace(/^\([^)]*\)\s*/, '').split(/\s*[,;]\s*/)
  for (const city of cities.slice(0, 10)) {
    if (!/^[a-z][a-z .'-]{2,40}$/i.test(city)) continue
    const found = regions.map((region) => `${region}/${city.replaceAll(' ', '_')}`).find(isZone)
    if (found) return found
  }
  return null
}

/** "UTC+01:00", "GMT+1", "+0100", "(UTC+01:00) somewhere" */
function offsetOf(label: string): string | null {
  const [, sign, hours, minutes = '00'] =
    /^\(?(?:UTC|GMT|Z)?\s?([+-]|\u2212)(\d{1,2}):?([0-5]\d)?(?:\)|$)/i.exec(label) ?? []
  if (hours === undefined || Number(hours) > 14) return null
  return `${sign === '+' ? '+' : '-'}${hours.padStart(2, '0')}:${minutes}`
}

/** Abbreviations stand for the clocks of their region: a calendar with "CEST" means those of summer and winter. */
const abbreviations = new Map(
  Object.entries({
    CET: 'Europe/Berlin',
    CEST: 'Europe/Berlin',
    MEZ: 'Europe/Berlin',
    MESZ: 'Europe/Berlin',
    'CET/CEST': 'Europe/Berlin',
    WET: 'Europe/Lisbon',
    WEST: 'Europe/Lisbon',
    EET: 'Europe/Athens',
    EEST: 'Europe/Athens',
    BST: 'Europe/London',
    EST: 'America/New_York',
    EDT: 'America/New_York',
    CDT: 'America/Chicago',
    MDT: 'America/Denver',
    PST: 'America/Los_Angeles',
    PDT: 'America/Los_Angeles',
    Z: 'UTC',
    GMT: 'UTC',
  }),
)

/** Names of Windows without " Standard Time" -> the zone of CLDR's windowsZones for territory 001. */
const windowsZones = `
Dateline: Etc/GMT+12
Aleutian: America/Adak
Hawaiian: Pacific/Honolulu
Marquesas: Pacific/Marquesas
Alaskan: America/Anchorage
Pacific: America/Los_Angeles
US Mountain: America/Phoenix
Mountain: America/Denver
Yukon: America/Whitehorse
Central America: America/Guatemala
Central: America/Chicago
Easter Island: Pacific/Easter
Canada Central: America/Regina
SA Pacific: America/Bogota
Eastern: America/New_York
Haiti: America/Port-au-Prince
Cuba: America/Havana
US Eastern: America/Indianapolis
Turks and Caicos: America/Grand_Turk
Paraguay: America/Asuncion
Atlantic: America/Halifax
Venezuela: America/Caracas
Central Brazilian: America/Cuiaba
SA Western: America/La_Paz
Pacific SA: America/Santiago
Newfoundland: America/St_Johns
Tocantins: America/Araguaina
E. South America: America/Sao_Paulo
SA Eastern: America/Cayenne
Argentina: America/Buenos_Aires
Greenland: America/Godthab
Montevideo: America/Montevideo
Magallanes: America/Punta_Arenas
Saint Pierre: America/Miquelon
Bahia: America/Bahia
Azores: Atlantic/Azores
Cape Verde: Atlantic/Cape_Verde
GMT: Europe/London
Greenwich: Atlantic/Reykjavik
Sao Tome: Africa/Sao_Tome
Morocco: Africa/Casablanca
W. Europe: Europe/Berlin
Central Europe: Europe/Budapest
Romance: Europe/Paris
Central European: Europe/Warsaw
W. Central Africa: Africa/Lagos
Jordan: Asia/Amman
GTB: Europe/Bucharest
Middle East: Asia/Beirut
Egypt: Africa/Cairo
E. Europe: Europe/Chisinau
Syria: Asia/Damascus
West Bank: Asia/Hebron
South Africa: Africa/Johannesburg
FLE: Europe/Kiev
Israel: Asia/Jerusalem
Jerusalem: Asia/Jerusalem
South Sudan: Africa/Juba
Kaliningrad: Europe/Kaliningrad
Sudan: Africa/Khartoum
Libya: Africa/Tripoli
Namibia: Africa/Windhoek
Arabic: Asia/Baghdad
Turkey: Europe/Istanbul
Arab: Asia/Riyadh
Belarus: Europe/Minsk
Russian: Europe/Moscow
E. Africa: Africa/Nairobi
Iran: Asia/Tehran
Arabian: Asia/Dubai
Astrakhan: Europe/Astrakhan
Azerbaijan: Asia/Baku
Mauritius: Indian/Mauritius
Saratov: Europe/Saratov
Georgian: Asia/Tbilisi
Volgograd: Europe/Volgograd
Caucasus: Asia/Yerevan
Afghanistan: Asia/Kabul
West Asia: Asia/Tashkent
Ekaterinburg: Asia/Yekaterinburg
Pakistan: Asia/Karachi
India: Asia/Calcutta
Sri Lanka: Asia/Colombo
Nepal: Asia/Katmandu
Central Asia: Asia/Almaty
Bangladesh: Asia/Dhaka
Omsk: Asia/Omsk
Myanmar: Asia/Rangoon
SE Asia: Asia/Bangkok
Altai: Asia/Barnaul
N. Central Asia: Asia/Novosibirsk
Tomsk: Asia/Tomsk
North Asia: Asia/Krasnoyarsk
China: Asia/Shanghai
North Asia East: Asia/Irkutsk
Singapore: Asia/Singapore
W. Australia: Australia/Perth
Taipei: Asia/Taipei
Ulaanbaatar: Asia/Ulaanbaatar
Aus Central W.: Australia/Eucla
Tokyo: Asia/Tokyo
North Korea: Asia/Pyongyang
Korea: Asia/Seoul
Yakutsk: Asia/Yakutsk
Cen. Australia: Australia/Adelaide
AUS Central: Australia/Darwin
E. Australia: Australia/Brisbane
AUS Eastern: Australia/Sydney
West Pacific: Pacific/Port_Moresby
Tasmania: Australia/Hobart
Vladivostok: Asia/Vladivostok
Lord Howe: Australia/Lord_Howe
Magadan: Asia/Magadan
Central Pacific: Pacific/Guadalcanal
New Zealand: Pacific/Auckland
Fiji: Pacific/Fiji
Chatham Islands: Pacific/Chatham
Tonga: Pacific/Tongatapu
Samoa: Pacific/Apia
Line Islands: Pacific/Kiritimati
`

const irregular: Record<string, string> = {
  'Pacific Standard Time (Mexico)': 'America/Tijuana',
  'Mountain Standard Time (Mexico)': 'America/Mazatlan',
  'Central Standard Time (Mexico)': 'America/Mexico_City',
  'Eastern Standard Time (Mexico)': 'America/Cancun',
  'Russia Time Zone 3': 'Europe/Samara',
  'Russia Time Zone 10': 'Asia/Srednekolymsk',
  'Russia Time Zone 11': 'Asia/Kamchatka',
  'tzone://Microsoft/Utc': 'UTC',
  'Coordinated Universal Time': 'UTC',
}

const ofWindows = new Map([
  ...windowsZones
    .trim()
    .split('\n')
    .map((line) => line.split(': '))
    .map(([name, zone]): [string, string] => [`${name} Standard Time`.toLowerCase(), zone!]),
  ...Object.entries(irregular).map(([name, zone]): [string, string] => [name.toLowerCase(), zone]),
])

/** For tests: each of them must be a zone of this machine. */
export const windowsNames = ofWindows
