import { useQuery } from '@tanstack/react-query';
import { readDaylight } from '#shared/daylight/contract.ts';
import { call } from '../../platform/http/api.ts';

/** Reminds the owner at night to be seen. */
export function DaylightBanner() {
  const { data } = useQuery({ queryKey: ['daylight'], queryFn: () => call(readDaylight) });
  if (!data || data.is_day) return null;
  return <p className="mx-4 mb-3 sm:mx-6">It’s dark. Take a light with you.</p>;
}
