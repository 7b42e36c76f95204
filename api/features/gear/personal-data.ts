import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { gearRows } from './collections.ts';

export const gearData = ({ db }: Pick<Services, 'db'>): PersonalDataHandler => ({
  name: 'gear',
  export: async ({ _id }) => (await gearRows(db).findOne({ _id }))?.text ?? '',
  async remove({ _id }) {
    await gearRows(db).deleteOne({ _id });
  },
});
