import { tableFields, type TableField } from '../../limits.ts'

/** Headings in English, German and French, as `plain` writes them; where several columns fit, the first word here counts. */
const words: Record<TableField, string> = {
  id: 'id eventid uid guid nr nummer no number numero code',
  title: `title titel titre event eventtitle veranstaltung veranstaltungstitel anlass programmpunkt evenement spectacle act
    konzert concert name nom bezeichnung intitule summary was what eventname nameoftheevent subject betreff auftritt
    vorstellung ausstellung exposition session sessiontitle talk vortrag angebot activity activite programm programme`,
  subtitle: 'subtitle untertitel soustitre zusatz',
  start: `startsat start startdatetime starttime startzeit beginn beginnzeit begin begins begintime debut heurededebut
    heuredebut startdatum startdate datedebut datededebut anfang anfangszeit uhrzeit zeit time heure horaire horaires von from
    wann when datetime dateandtime datumzeit datumundzeit datumuhrzeit datumunduhrzeit dateheure dateetheure termin`,
  date: 'date datum tag day jour dateday datumtag eventdate startdate startdatum datedebut datededebut',
  end: `endsat end enddatetime endtime endzeit ende endezeit fin heuredefin heurefin schluss bis to until finish`,
  end_date: 'enddate enddatum datefin datedefin',
  duration: 'duration dauer duree lange length durationmin dauermin dureemin minuten minutes min',
  stage: `stage buhne scene location ort spielort venue room raum saal salle lieu veranstaltungsort place platz locationname
    wo where ou venuename stagename roomname spielstatte standort lokal auftrittsort buhneort ortbuhne`,
  description: `description beschreibung beschrieb descriptif text abstract infotext langtext details detail info infos resume
    kurzbeschreibung kurztext longdescription inhalt bemerkung bemerkungen
    notes notiz notizen hinweis hinweise remarque remarques commentaire`,
  category: `category kategorie categorie genre type typ track art sparte rubrik rubrique kind tags stil style categories
    kategorien eventtype`,
  performers: `performers performer artists artist artistes artiste kunstlerinnen kunstlerin kunstler kuenstler interpreten
    interpret acts band bands lineup speakers speaker mitwirkende referenten referentin referent intervenants intervenant`,
  languages: 'languages language sprachen sprache langues langue lang',
  latitude: 'latitude lat breite breitengrad geobreite',
  longitude: 'longitude lon lng long langengrad geolange lange',
  status: 'status statut etat zustand state',
}
const rankOf = Object.fromEntries(
  Object.entries(words).map(([field, list]) => [field, new Map(list.split(/\s+/).map((word, at) => [word, at]))]),
) as Record<TableField, Map<string, number>>

/** A heading without accents, spaces and signs: "Début (heure)" is "debutheure". */
const plain = (heading: string) =>
  heading
    .slice(0, 100)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')

/** The heading without what stands in brackets: "Dauer (Min.)" is "Dauer". */
const withoutBrackets = (heading: string) => heading.slice(0, 100).replace(/[([].*$/, '')

/** The column of each field, by its place in the header. */
export type Columns = Map<TableField, number>

/** Columns that are looked at; a header may have half a million. */
export const columnsMost = 500

/**
 * Finds the columns of a programme by their headings. `given`: a person's choice of the field by heading, "" for none; it counts
 * before the words.
 */
export function matchColumns(headings: readonly string[], given: Readonly<Record<string, string>> = {}): Columns {
  const found: Columns = new Map()
  const free = new Map<number, string[]>()
  for (const [at, heading] of headings.slice(0, columnsMost).entries()) {
    const choice = Object.hasOwn(given, heading) ? given[heading] : undefined
    if (choice === undefined) free.set(at, [plain(heading), plain(withoutBrackets(heading))])
    else if (isField(choice) && !found.has(choice)) found.set(choice, at)
  }
  // "Länge" is a position beside "Breite", else a duration
  const hasLatitude = [...free.values()].some(([name]) => rankOf.latitude.has(name!))
  const notOf: Partial<Record<TableField, string>> = hasLatitude ? { duration: 'lange' } : { longitude: 'lange' }
  for (const field of tableFields) {
    if (found.has(field)) continue
    let best: { at: number; rank: number } | null = null
    for (const [at, names] of free) {
      const name = names.find((each) => rankOf[field].has(each) && each !== notOf[field])
      const rank = name === undefined ? Number.POSITIVE_INFINITY : rankOf[field].get(name)!
      if (rank < (best?.rank ?? Number.POSITIVE_INFINITY)) best = { at, rank }
    }
    if (!best) continue
    found.set(field, best.at)
    free.delete(best.at)
  }
  // a list of artists alone: each is the title
  const performers = found.get('performers')
  if (!found.has('title') && performers !== undefined) {
    found.set('title', performers)
    found.delete('performers')
  }
  return found
}

const isField = (name: string | undefined): name is TableField => tableFields.includes(name as TableField)

/** True: a programme can be read from these columns. */
export const isEnough = (columns: Columns) => columns.has('title') && (columns.has('start') || columns.has('date'))

/** True: the row is the header of a programme, not a title above it. */
export const isProgrammeHeader = (cells: readonly string[]) => matchColumns(cells).size >= 2
