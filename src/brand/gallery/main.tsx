import { createRoot } from 'react-dom/client'
import './gallery.css'
import { Footer, Header, Hero } from './Compositions.tsx'
import { DealWall, PosterWall } from './Walls.tsx'
import { Parts } from './Parts.tsx'
import { Inks } from './Inks.tsx'

function Gallery() {
  return (
    <>
      <Header />
      <main id="main">
        <Hero />
        <DealWall />
        <PosterWall />
        <Inks />
        <Parts />
      </main>
      <Footer />
    </>
  )
}

const theme = new URLSearchParams(location.search).get('theme')
if (theme) document.documentElement.dataset.theme = theme
createRoot(document.getElementById('gallery')!).render(<Gallery />)
