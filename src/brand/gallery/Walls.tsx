import Heart from 'lucide-react/icons/heart'
import MapPin from 'lucide-react/icons/map-pin'
import { posterSvg } from '../posters/poster.ts'
import { CategoryTag, Badge, SponsoredBadge } from '../Badge.tsx'
import { IconButton } from '../../kit/browser/ui/Button.tsx'
import { Card, CardLink, CardPicture } from '../../kit/browser/ui/Card.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { Price } from '../../kit/browser/ui/Price.tsx'
import { Rating } from '../Rating.tsx'
import { categories, type Category } from '../category.ts'

type Kind = 'deal' | 'business' | 'event'
const picture = (id: string, kind: Kind, category: string, title: string) =>
  `data:image/svg+xml,${encodeURIComponent(posterSvg({ id, kind, category, title }))}`

const titles =
  'Moonlight Fondue,Drei Bier am Ufer,Nachtschwärmer,Vinyl & Kaffee,Kammerklang,Fährimaa Sauna,Basler Läckerli,Tanz im Gewölbe,Zimtschnecke,Uferlos'.split(
    ',',
  )

export function DealWall() {
  return (
    <section className="shell grid gap-5 py-12">
      <h2 className="text-3xl">Open now, near you</h2>
      <div className="grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-4">
        <DealCard
          id="a1"
          category="food"
          title="Moonlight fondue for two"
          where="Café Rhein"
          km="350 m"
          price="CHF 24.50"
          was="CHF 39.–"
          sponsored
        />
        <DealCard
          id="b2"
          category="drinks"
          title="Three beers by the river"
          where="Bar Nord"
          km="1.2 km"
          price="CHF 12.–"
        />
        <DealCard
          id="c3"
          category="nightlife"
          title="Donaudampfschifffahrtsgesellschafts-Nachttanz im Gewölbekeller"
          where="Gewölbe am Blumenrain"
          km="850 m"
          price="CHF 8.–"
        />
        <DealCard
          id="d4"
          category="shopping"
          title="Second-hand vinyl"
          where="Plattenhändler Kleinbasel"
          km="2.4 km"
          price="−20 %"
          closed
        />
      </div>
    </section>
  )
}

function DealCard(deal: {
  id: string
  category: Category
  title: string
  where: string
  km: string
  price: string
  was?: string
  sponsored?: boolean
  closed?: boolean
}) {
  return (
    <Card
      layout="auto"
      picture={
        <>
          <CardPicture src={picture(deal.id, 'deal', deal.category, deal.title)} />
          {deal.sponsored && (
            <span className="absolute top-1.5 left-1.5">
              <SponsoredBadge>Sponsored</SponsoredBadge>
            </span>
          )}
        </>
      }
    >
      <h3 className="line-clamp-3">
        <CardLink href="#deal">{deal.title}</CardLink>
      </h3>
      <p className="flex flex-wrap gap-x-2 text-sm text-ink-soft">
        <span>{deal.where}</span>
        <span className="inline-flex items-center gap-1 whitespace-nowrap">
          <MapPin aria-hidden="true" className="size-4" />
          {deal.km}
        </span>
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <OpenState state={deal.closed ? 'closed' : 'open'}>
          {deal.closed ? 'Opens 11:00' : 'Open until 02:00'}
        </OpenState>
        <Rating value="4.6" count="38" label="4.6 of 5 from 38 ratings" />
      </p>
      <div className="mt-auto flex items-end justify-between gap-2 pt-1">
        <Price was={deal.was} wasLabel="instead of">
          {deal.price}
        </Price>
        <IconButton
          className="relative -mr-2 -mb-2"
          label="Add to favorites"
          pressed={deal.id === 'a1'}
          icon={<Heart aria-hidden="true" className="size-6" />}
        />
      </div>
    </Card>
  )
}

export function PosterWall() {
  return (
    <section className="shell grid gap-5 py-12">
      <h2 className="text-3xl">Forty posters</h2>
      <div className="grid grid-cols-3 gap-2 sm:grid-cols-5 lg:grid-cols-8">
        {Array.from({ length: 40 }, (_, index) => (
          <img
            key={index}
            alt=""
            width={800}
            height={600}
            className="h-auto w-full rounded-6"
            src={picture(
              `poster-${index}`,
              (['deal', 'event', 'business'] as const)[index % 3]!,
              categories[(index * 7) % categories.length]!,
              titles[index % titles.length]!,
            )}
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        {categories.map((category) => (
          <CategoryTag key={category} category={category}>
            {category}
          </CategoryTag>
        ))}
        <Badge tone="coral">Ending soon</Badge>
        <Badge tone="ink">Sold out</Badge>
        <Badge tone="moss">Redeemed</Badge>
        <Badge tone="wine">Cancelled</Badge>
        <Badge>Draft</Badge>
      </div>
    </section>
  )
}
