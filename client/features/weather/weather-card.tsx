import {
  CircleAlert,
  CircleCheck,
  CloudSun,
  OctagonAlert,
  RefreshCw,
  TriangleAlert,
  Cloud,
  CloudDrizzle,
  CloudFog,
  CloudLightning,
  CloudRain,
  CloudSnow,
  Cloudy,
  Moon,
  Sun,
  type LucideIcon,
} from 'lucide-react';
import { formatHour } from '#shared/dates.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import type { Weather, WeatherHour } from '#shared/weather/contract.ts';
import { assess, CARD_REFRESH_MINUTES, FRESH_MINUTES, type Safety } from '#shared/weather/rules.ts';
import { ageWords } from '../../platform/duration-words.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { IconButton } from '../../platform/ui/buttons/icon-button.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';
import { useNow } from '../../platform/use-now.ts';
import { useHere } from '../profile/use-here.ts';
import { useUnits } from '../settings/use-units.ts';
import { readings, SAFETY_WORDS } from './labels.ts';
import { useWeather } from './use-weather.ts';

const SAFETY_LOOKS: Record<Safety, { look: string; Icon: typeof CircleCheck }> = {
  safe: { look: 'bg-accent-soft', Icon: CircleCheck },
  caution: { look: 'bg-sunken', Icon: TriangleAlert },
  unsafe: { look: 'border-2 border-ink', Icon: OctagonAlert },
};

function Offer({ allow }: { allow: () => void }) {
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-sm text-soft">
        See if it’s safe to walk and whether there are emergency alerts near you. We round your
        location to about a hundred yards and don’t store it with your name.
      </p>
      <Button look="secondary" wide onClick={allow} Icon={CloudSun}>
        Show the weather here
      </Button>
    </div>
  );
}

/** As tall as a reading, so that nothing moves when it arrives. */
function Loading() {
  return (
    <div role="status" aria-label="Loading weather…" className="flex flex-col gap-2">
      <div aria-hidden className="h-11 rounded-control bg-sunken" />
      <div aria-hidden className="h-11 rounded-control bg-sunken" />
      <div aria-hidden className="h-11 rounded-control bg-sunken" />
    </div>
  );
}

/** The verdict first; what it is based on can be opened. */
function Reading({ reading, age, now }: { reading: Weather; age: number; now: number }) {
  const isOld = age > FRESH_MINUTES * MINUTE_MS;
  const units = useUnits();
  const { safety, safety_warnings } = assess(reading);
  const { look, Icon } = SAFETY_LOOKS[safety];
  const rows = readings(reading, units);
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-center gap-x-3 pr-11">
        <WeatherIcon icon={reading.weather_icon} className="size-11 shrink-0 text-accent" />
        {reading.temperature_f !== null && (
          <span className="text-3xl font-bold tabular-nums">
            {units.temperature(reading.temperature_f)}
          </span>
        )}
        <span className="min-w-0 flex-1 leading-tight">
          <span className="block font-bold first-letter:uppercase">
            {reading.weather_description}
          </span>{' '}
          {reading.feels_like_f !== null && (
            <span className="block text-sm text-soft">
              feels like {units.temperature(reading.feels_like_f)}
            </span>
          )}
        </span>
      </p>
      <div className={`flex gap-3 rounded-control px-3 py-2.5 ${look}`}>
        <Icon aria-hidden className="mt-0.5 size-6 shrink-0" />
        <div>
          <p className="font-bold">{SAFETY_WORDS[safety]}</p>
          {safety_warnings.length > 0 && (
            <ul className="mt-1 flex flex-col gap-1 text-sm">
              {safety_warnings.map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <Hours hours={(reading.hours ?? []).filter(({ at }) => Date.parse(at) > now - HOUR_MS)} />
      <details>
        <Summary chevron="end" className="text-sm">
          <span className="min-w-0 flex-1 leading-snug">
            {rows
              .slice(0, 2)
              .map(([name, value]) => `${name} ${value}`)
              .join(' · ')}
            <span className={`block ${isOld ? 'font-bold' : 'text-soft'}`}>
              {isOld ? 'Last updated ' : 'Updated '}
              {ageWords(age, FRESH_MINUTES * MINUTE_MS)}
            </span>
          </span>
          <span className="sr-only">More about the weather</span>
        </Summary>
        <dl className="grid grid-cols-3 gap-x-3 gap-y-2 pb-1">
          {rows.map(([name, value]) => (
            <div key={name} className="flex min-w-0 flex-col">
              <dt className="text-sm text-soft">{name}</dt>
              <dd className="font-bold tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

/** So many fit next to each other on a narrow phone. */
const HOURS_SHOWN = 6;

/** The hours to come, in one row. */
function Hours({ hours }: { hours: readonly WeatherHour[] }) {
  const units = useUnits();
  if (hours.length === 0) return null;
  return (
    <ol aria-label="The next hours" className="grid grid-cols-6 gap-1">
      {hours
        .slice(0, HOURS_SHOWN)
        .map(({ at, temperature_f, precipitation_chance, weather_icon }) => (
          <li
            key={at}
            className="flex min-w-0 flex-col items-center rounded-control bg-sunken py-1.5 text-sm leading-tight whitespace-nowrap tabular-nums"
          >
            <span className="text-soft">{formatHour(at)}</span>
            <WeatherIcon icon={weather_icon} className="my-0.5 size-5 text-accent" />
            <span className="font-bold">
              {temperature_f === null ? '–' : units.temperature(temperature_f)}
            </span>
            {precipitation_chance !== null && (
              <span className="text-soft">
                <span className="sr-only">Rain </span>
                {Math.round(precipitation_chance)}%
              </span>
            )}
          </li>
        ))}
    </ol>
  );
}

/** The weather where the owner is, and whether it is safe to walk a dog in it. */
export function WeatherCard() {
  const { allow } = useHere();
  const { isAllowed, reading, ageAt, error, isFetching, isPaused, refresh } =
    useWeather(CARD_REFRESH_MINUTES);
  const now = useNow();

  return (
    <section
      aria-label="Weather"
      className="relative rounded-card border border-line bg-surface px-[min(1rem,4.5vw)] py-3 shadow-lift sm:px-5"
    >
      <h2 className={isAllowed ? 'sr-only' : 'mb-1 text-lg font-bold'}>Weather</h2>
      {isAllowed && (
        <IconButton
          Icon={RefreshCw}
          label="Refresh the weather"
          disabled={isFetching}
          onClick={refresh}
          className="absolute! top-3 right-2"
        />
      )}
      {isAllowed && !reading && !error && !isPaused && <Loading />}
      {isAllowed && !reading && !error && isPaused && (
        <p className="text-soft">No weather yet. Connect to the internet once to load it.</p>
      )}
      {isAllowed && error && !isPaused && (
        <div role="alert" className="mb-3 flex flex-col items-start gap-1 pr-11">
          <p className="flex items-center gap-2 font-bold">
            <CircleAlert aria-hidden className="size-5 shrink-0 text-poor" />
            Unable to load weather data
          </p>
          <p className="text-soft">{messageOf(error)}</p>
          {!reading && (
            <Button
              look="secondary"
              className="mt-2"
              pending={isFetching && 'Trying…'}
              onClick={refresh}
            >
              Try again
            </Button>
          )}
        </div>
      )}
      {reading && <Reading reading={reading} age={ageAt(now)} now={now} />}
      {!isAllowed && <Offer allow={() => allow(true)} />}
    </section>
  );
}

/** OpenWeather's icons, without their suffix d (day) or n (night). */
const ICONS: Record<string, LucideIcon> = {
  '01': Sun,
  '02': CloudSun,
  '03': Cloud,
  '04': Cloudy,
  '09': CloudDrizzle,
  '10': CloudRain,
  '11': CloudLightning,
  '13': CloudSnow,
  '50': CloudFog,
};

/** A weather icon, hidden from screen readers. @param icon such as `10d` */
function WeatherIcon({ icon, className }: { icon: string; className: string }) {
  const Icon = icon === '01n' ? Moon : (ICONS[icon.slice(0, 2)] ?? Cloud);
  return <Icon aria-hidden className={className} strokeWidth={1.75} />;
}
