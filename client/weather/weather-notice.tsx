import { OctagonAlert } from 'lucide-react';
import { assess, DASHBOARD_REFRESH_MINUTES } from '#shared/weather/rules.ts';
import { useNow } from '../use-now.ts';
import { useWeather } from './use-weather.ts';
import { SAFETY_WORDS } from './labels.ts';

/** Weather changes: an older reading is no reason to stay at home. */
const TELLING_MS = 60 * 60_000;

/** Says above everything that it is not safe to walk now, while it is so. */
export function WeatherNotice() {
  const { reading, ageAt } = useWeather(DASHBOARD_REFRESH_MINUTES);
  const now = useNow();
  if (!reading || ageAt(now) > TELLING_MS) return null;
  const { safety, safety_warnings } = assess(reading);
  if (safety !== 'unsafe') return null;
  return (
    <section
      aria-label="Critical weather"
      className="flex gap-3 rounded-card bg-ink p-4 text-ground shadow-lift"
    >
      <OctagonAlert aria-hidden className="mt-0.5 size-6 shrink-0" />
      <div role="status">
        <p className="text-lg font-bold">{SAFETY_WORDS[safety]} right now</p>
        <p>{safety_warnings[0]}</p>
      </div>
    </section>
  );
}
