/**
 * The colours of the map by day (`paper`) and by night (`river`), from the inks in tokens.css. They are values, because the map
 * draws on a canvas and the server makes pictures; inks.test.ts compares them with the tokens and checks contrasts.
 */
const paper = {
  // ground outside the canton, and inside (`city`)
  ground: '#efe7da',
  city: '#fbf6ee',
  river: '#3e8fc4',
  // lines in the water, from the bank inwards, and its name
  ripple: '#fbf6ee',
  riverName: '#fbf6ee',
  bank: '#123a5a',
  park: '#d6e2c4',
  parkName: '#226748',
  square: '#f3e3c3',
  // streets from the smallest to the trunk road, and the rule around them
  lane: '#e9e1d4',
  street: '#e3d8c6',
  main: '#f6d9a0',
  trunk: '#f2bd6b',
  casing: '#cdbb9d',
  rail: '#8a8577',
  tram: '#b9a98c',
  ferry: '#fbf6ee',
  border: '#8c1d40',
  quarter: '#7d6a4d',
  name: '#515c6b',
  place: '#0e1b2c',
  // outline of names
  halo: '#fbf6ee',
  stop: '#123a5a',
  // pins and their glyphs
  premium: '#ffc247',
  onPremium: '#0e1b2c',
  merchant: '#fffdf9',
  onMerchant: '#123a5a',
  pinRim: '#0e1b2c',
  cluster: '#0e1b2c',
  onCluster: '#fbf6ee',
  own: '#1668c9',
  ownRim: '#fffdf9',
}
export type MapInks = Record<keyof typeof paper, string>

const river: MapInks = {
  ground: '#081320',
  city: '#0f2136',
  river: '#2168a2',
  ripple: '#a9dcfb',
  riverName: '#d4ebfa',
  bank: '#6bb4e3',
  park: '#153a38',
  parkName: '#7fd1a8',
  square: '#31465c',
  lane: '#1b3450',
  street: '#264563',
  main: '#3d6386',
  trunk: '#5c83a5',
  casing: '#091625',
  rail: '#7f93a6',
  tram: '#4a7396',
  ferry: '#8fcbf0',
  border: '#ff9db0',
  quarter: '#93b1c9',
  name: '#a9bbca',
  place: '#fbf6ee',
  halo: '#0f2136',
  stop: '#8fcbf0',
  premium: '#ffc247',
  onPremium: '#0e1b2c',
  merchant: '#12293f',
  onMerchant: '#8fcbf0',
  pinRim: '#fbf6ee',
  cluster: '#fbf6ee',
  onCluster: '#0e1b2c',
  own: '#6cb8ff',
  ownRim: '#0e1b2c',
}

export const mapInks: Record<'paper' | 'river', MapInks> = { paper, river }
