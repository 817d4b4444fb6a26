import { readPoints, readStrokes } from './sheet.ts'

const alongFrance = readPoints(`
  5832/5757 5846/5756 5844/5786 5848/5811 5857/5841 5870/5866 5890/5899
`)
const kleinbaselBank = readPoints(`
  5904/5896 5883/5863 5870/5839 5870/5828 5863/5816 5859/5800 5857/5780 5860/5763 5864/5745 5865/5732 5865/5713
  5862/5690 5862/5675 5866/5660 5874/5643 5882/5632 5890/5622 5898/5614 5909/5603 5925/5592 5946/5580 5958/5575
  5972/5570 5990/5568 6020/5568 6048/5570
  6090/5579 6160/5593 6207/5603 6253/5617 6286/5626 6329/5623 6346/5620
`)
const alongBirsfelden = readPoints(`
  6340/5612 6315/5616 6285/5617 6244/5607 6193/5591 6176/5586
`)
const grossbaselBank = readPoints(`
  6178/5576 6155/5577 6126/5568 6095/5561 6062/5555 6030/5553 5993/5552 5972/5554 5953/5557 5944/5560 5934/5565 5930/5570
  5919/5574 5900/5585 5892/5593 5882/5601 5874/5610 5866/5619 5852/5634 5844/5645 5839/5653 5835/5665 5833/5676
  5833/5690 5835/5709
  5837/5722 5837/5735
`)

/**
 * The Rhine inside the canton, once round: down the middle of the river along France, up the Kleinbasel bank, back
 * down the middle along Birsfelden and down the Grossbasel bank.
 */
export const rhine = [...alongFrance, ...kleinbaselBank, ...alongBirsfelden, ...grossbaselBank]

/** Where land really meets the river, with the water on the right. */
export const banks = [
  { name: 'Kleinbaselufer', points: kleinbaselBank },
  { name: 'Grossbaselufer', points: [...grossbaselBank, alongFrance[0]!] },
]

/** The river's other half along France and Birsfelden, and its course above and below: generalised, for the picture. */
export const rhineBeyond = [
  readPoints(`
    5832/5757 5846/5756 5844/5786 5848/5811 5857/5841 5870/5866 5890/5899
    5904/5896 5900/5925 5883/5962 5854/6000 5813/6050 5775/6092 5762/6120
    5734/6112 5748/6080 5787/6038 5827/5990 5853/5957 5871/5925 5874/5898 5856/5866 5843/5843 5833/5812 5830/5786
  `),
  readPoints(`
    6176/5586 6193/5591 6244/5607 6285/5617 6315/5616 6340/5612
    6346/5620 6389/5619 6412/5612 6447/5603 6508/5579 6570/5546 6641/5493 6700/5446 6754/5407 6837/5366 6902/5349
    6977/5349 7063/5373 7143/5394 7300/5433
    7310/5415 7149/5376 7069/5355 6983/5331 6898/5331 6823/5350 6736/5393 6680/5434 6620/5482 6550/5533 6490/5565 6433/5589 6381/5603
    6330/5606 6286/5607 6240/5596 6195/5582 6178/5576
  `),
]

/** Where the map sets "Rhein" along the water: downstream, from Birsfelden to the three-countries corner. */
export const rhineCourse = readPoints(`
  6330/5615 6250/5604 6150/5578 6060/5563 5985/5561 5935/5577 5890/5610 5855/5655 5848/5700 5848/5760 5853/5820
  5875/5870 5886/5925 5840/5995 5780/6065
`)

/** The two small rivers and the harbour basins, as centre lines from the mouth upwards; the width is in metres. */
export const waters = [
  {
    widthMetres: 22,
    ...readStrokes(
      'Wiese: 5869/5830 5899/5821 5919/5816 5931/5809 5942/5797 5955/5778 5970/5763 5987/5753 6017/5748 6060/5755 6120/5760 6188/5762 6235/5782 6291/5809 6368/5863 6440/5920',
    )[0]!,
  },
  {
    widthMetres: 20,
    ...readStrokes(
      'Birs: 6178/5586 6178/5566 6176/5549 6188/5534 6217/5517 6228/5500 6229/5485 6225/5440 6223/5398 6212/5360 6185/5310 6160/5275',
    )[0]!,
  },
  { widthMetres: 70, ...readStrokes('Hafenbecken 1: 5893/5889 5907/5858 5912/5845')[0]! },
  { widthMetres: 55, ...readStrokes('Hafenbecken 2: 5903/5884 5930/5877 5968/5863 6022/5843')[0]! },
]
