import { readStrokes } from './sheet.ts'
import { railwayBridge } from './bridges.ts'

const [bankBelow, bankAbove] = railwayBridge.points

/**
 * Main railway lines through the stations, the bridges over the tracks and the gaps that the streets leave them. The
 * tunnelled middle of the line to Mulhouse (below the Schützenmatte and the Kannenfeld) is left out; the lines east and
 * north of the Badischer Bahnhof are sketched from station to station.
 */
export const rails = [
  ...readStrokes(`
    Basel SBB - Muttenz: 5853/5480 5880/5477 5896/5472 5930/5459 5960/5450 5989/5444 6038/5433 6088/5425 6140/5425 6195/5426 6225/5417 6290/5402 6390/5365 6479/5336 6560/5311
    Basel SBB - Zoo: 5853/5480 5838/5484 5822/5490 5812/5496
    Kannenfeld - St. Johann - Mulhouse: 5738/5668 5733/5690 5727/5703 5718/5720 5705/5744 5688/5764 5676/5777 5640/5815
    Basel SBB - Delémont: 5960/5450 5985/5436 6021/5415 6066/5392 6096/5374 6115/5359 6127/5330 6142/5290
    Badischer Bahnhof - Weil am Rhein: 6073/5678 6055/5701 6030/5735 6018/5753 6020/5771 6029/5802 6042/5838 6062/5890 6080/5940
    Badischer Bahnhof - Riehen - Lörrach: 6085/5663 6108/5641 6126/5627 6146/5620 6170/5619 6195/5625 6228/5639 6270/5660 6334/5695 6400/5742 6470/5797 6522/5835 6555/5880 6578/5945
    Badischer Bahnhof - Grenzach: 6195/5625 6245/5637 6290/5641 6330/5636 6375/5628 6415/5619 6450/5610 6500/5590
  `),
  {
    name: 'Basel SBB - Badischer Bahnhof',
    points: [
      ...readStrokes('south: 6020/5438 6070/5448 6118/5468 6145/5485 6158/5503 6160/5525 6157/5548')[0]!.points,
      bankBelow!,
      bankAbove!,
      ...readStrokes('north: 6132/5607 6112/5633 6085/5663 6073/5678')[0]!.points,
    ],
  },
]
