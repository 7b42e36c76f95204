import {
  Cloud,
  CloudDrizzle,
  CloudFog,
  CloudLightning,
  CloudRain,
  CloudSnow,
  CloudSun,
  Cloudy,
  Moon,
  Sun,
  type LucideIcon,
} from 'lucide-react';

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
export function WeatherIcon({ icon, className }: { icon: string; className: string }) {
  const Icon = icon === '01n' ? Moon : (ICONS[icon.slice(0, 2)] ?? Cloud);
  return <Icon aria-hidden className={className} strokeWidth={1.75} />;
}
