import type { ApiFeature } from '../../platform/services.ts';
import { gearData } from './personal-data.ts';
import { mountGear } from './routes.ts';

export const gear: ApiFeature = { personalData: [gearData], mount: mountGear };
