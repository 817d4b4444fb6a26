import { readStrokes } from './sheet.ts'

/** Stations, tram stops, landing stages and some bus stops, where the platform signs stand (middle of the platforms). */
const byKind = {
  train: `
    Basel SBB: 5896/5474
    Basel Bad Bf: 6069/5673
    Basel St. Johann: 5725/5703
    Basel Dreispitz: 6096/5374
    Basel St. Jakob: 6195/5426
    Riehen Niederholz: 6334/5695
    Riehen: 6522/5835
    Muttenz: 6479/5336
  `,
  tram: `
    Bahnhof SBB: 5903/5483
    Markthalle: 5860/5489
    Kirschgarten: 5910/5516
    Bankverein: 5922/5536
    Aeschenplatz: 5949/5513
    Denkmal: 5980/5482
    Theater: 5898/5531
    Heuwaage: 5880/5513
    Barfüsserplatz: 5891/5546
    Marktplatz: 5876/5581
    Schifflände: 5872/5592
    Kunstmuseum: 5941/5545
    Musik-Akademie: 5869/5555
    Universität: 5841/5571
    Spalentor: 5812/5580
    Pilgerstrasse: 5772/5601
    Burgfelderplatz: 5738/5620
    Universitätsspital: 5859/5616
    Johanniterbrücke: 5839/5643
    St. Johanns-Tor: 5816/5666
    Mülhauserstrasse: 5800/5684
    Voltaplatz: 5779/5708
    Novartis Campus: 5813/5708
    Hüningerstrasse: 5760/5729
    St-Louis Grenze: 5729/5759
    Bahnhof St. Johann: 5729/5704
    Kannenfeldplatz: 5733/5657
    Strassburgerallee: 5709/5634
    Im Westfeld: 5676/5650
    Felix Platter-Spital: 5650/5663
    Waldighoferstrasse: 5613/5685
    Burgfelderhof: 5573/5720
    Hegenheimerstrasse: 5744/5603
    Brausebad: 5759/5555
    Birmannsgasse: 5752/5573
    Schützenhaus: 5771/5532
    Schützenmattstrasse: 5794/5547
    Holbeinstrasse: 5841/5526
    Allschwilerplatz: 5706/5572
    Morgartenring: 5650/5571
    Lindenplatz: 5604/5577
    Bundesplatz: 5747/5513
    Bernerring: 5699/5491
    Laupenring: 5678/5481
    Neubad: 5649/5469
    Im langen Loh: 5597/5462
    Neuweilerstrasse: 5568/5456
    Zoo Bachletten: 5804/5509
    Zoo: 5832/5487
    Zoo Dorenbach: 5756/5444
    IWB: 5844/5467
    Margarethen: 5817/5441
    Bhfeingang Gundeldingen: 5875/5455
    Solothurnerstrasse: 5910/5442
    Tellplatz: 5942/5429
    Heiliggeistkirche: 5980/5419
    Zwinglihaus: 5965/5391
    Mönchsbergerstrasse: 5996/5382
    Leimgrubenweg: 6040/5369
    Bruderholzstrasse: 5918/5405
    Wolfschlucht: 5904/5374
    Lerchenstrasse: 5878/5355
    Studio Basel: 5874/5337
    Airolostrasse: 5903/5324
    Bruderholz: 5937/5324
    Hauensteinstrasse: 5970/5334
    Hechtliacker: 6017/5346
    Jakobsberg: 6014/5324
    Peter-Merian: 5962/5453
    Grosspeterstrasse: 5986/5459
    Münchensteinerstrasse: 5995/5431
    MParc: 6066/5388
    Dreispitz: 6088/5372
    Hardstrasse: 6003/5523
    St. Alban-Tor: 6045/5527
    Waldenburgerstrasse: 6099/5541
    Breite: 6147/5555
    Sevogelplatz: 6041/5506
    Grellingerstrasse: 6064/5495
    Karl Barth-Platz: 6093/5480
    Zeughaus: 6106/5445
    St. Jakob: 6184/5410
    Rheingasse: 5915/5609
    Claraplatz: 5936/5618
    Clarastrasse: 5968/5627
    Messeplatz: 5996/5635
    Gewerbeschule: 6028/5645
    Badischer Bahnhof: 6071/5666
    Hirzbrunnen/Claraspital: 6116/5675
    Eglisee: 6162/5700
    Wettsteinplatz: 5983/5591
    Kaserne: 5916/5637
    Feldbergstrasse: 5912/5663
    Bläsiring: 5904/5686
    Dreirosenbrücke: 5898/5707
    Brombacherstrasse: 5944/5708
    Musical Theater: 5976/5691
    Riehenring: 5977/5673
    Ciba: 5903/5734
    Wiesenplatz: 5914/5767
    Inselstrasse: 5895/5771
    Kleinhüningen: 5925/5811
    Kleinhüningeranlage: 5938/5837
    Weil am Rhein Grenze: 5930/5890
    Habermatten: 6297/5728
    Burgstrasse: 6389/5776
    Pfaffenloh: 6411/5794
    Riehen Dorf: 6495/5844
    Fondation Beyeler: 6508/5868
    Riehen Grenze: 6553/5945
    Birsfelden Schulstrasse: 6221/5532
  `,
  ship: `
    Schifflände: 5885/5599
    St. Alban-Tal: 6010/5551
    Museum Tinguely: 6063/5574
    Rheinhafen/Dreiländereck: 5891/5878
    Birsköpfli: 6193/5582
  `,
  bus: `
    Kinderspital: 5827/5634
    Erasmusplatz: 5891/5659
    Bernoullianum: 5804/5610
    Rosengartenweg: 6033/5588
    Hoffmann-La Roche: 6067/5590
    Tinguely Museum: 6124/5599
    Erlenmatt: 6028/5692
    Signalstrasse: 6029/5714
    Lange Erlen: 6048/5732
    Stücki: 5949/5795
    Dreiländereck: 5886/5867
    Wettsteinallee: 6106/5623
    Wielandplatz: 5710/5530
    Rütimeyerplatz: 5758/5492
    Steinenschanze: 5863/5529
    Friedhof am Hörnli: 6364/5667
  `,
}

export const stops = Object.entries(byKind).flatMap(([kind, text]) =>
  readStrokes(text).map(({ name, points }) => ({ kind: kind as keyof typeof byKind, name, at: points[0]! })),
)
