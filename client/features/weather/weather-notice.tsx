import { OctagonAlert } from 'lucide-react';
import { HOUR_MS } from '#shared/time.ts';
import { assess, DASHBOARD_REFRESH_MINUTES } from '#shared/weather/rules.ts';
import { useNow } from '../../platform/use-now.ts';
import { SAFETY_WORDS } from './labels.ts';
import { useWeather } from './use-weather.ts';

/** An older reading isn't reliable enough for a warning. */
const RELIABLE_MS = HOUR_MS;

/** Warns at the top of the screen while it isn't safe to walk. */
export function WeatherNotice() {
  const { reading, ageAt } = useWeather(DASHBOARD_REFRESH_MINUTES);
  const now = useNow();
  if (!reading || ageAt(now) > RELIABLE_MS) return null;
  const { safety, safety_warnings } = assess(reading);
  if (safety !== 'unsafe') return null;
  return (
    <section
      aria-label="Critical weather"
      className="flex gap-3 rounded-card bg-poor p-4 text-on-level shadow-lift"
    >
      <OctagonAlert aria-hidden className="mt-0.5 size-6 shrink-0" />
      <div role="status">
        <p className="text-lg font-bold">{SAFETY_WORDS[safety]} right now</p>
        <p>{safety_warnings[0]}</p>
      </div>
    </section>
  );
}
