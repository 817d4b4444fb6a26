import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Vitest takes projects by their names; then a long file of `unit` ends the run alone, while the other core has nothing to do. */
export class UnitFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => Number(b.project.name === 'unit') - Number(a.project.name === 'unit'))
  }
}
