import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listAmenities, type Amenity, type AmenityKind } from '#shared/amenities/contract.ts';
import { AMENITIES_RADIUS } from '#shared/amenities/rules.ts';
import type { Place } from '#shared/place.ts';
import { call } from '../../../platform/http/api.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';

const NONE: Amenity[] = [];
/** Opening hours change. */
const STALE_MS = 300_000;

/**
 * Returns what helps on a walk around a point, of the chosen kinds.
 * @param radius in miles
 */
export function useAmenities(from: Place | null, radius: number, kinds: readonly AmenityKind[]) {
  const userId = useUser()?.id ?? '';
  const { data, error, refetch } = useQuery({
    queryKey: ['amenities', userId, from, radius, kinds],
    queryFn: ({ signal }) =>
      call(listAmenities, {
        query: {
          latitude: String(from?.latitude),
          longitude: String(from?.longitude),
          radius: Math.min(radius, AMENITIES_RADIUS.max),
          kinds: kinds.join(','),
          utc_offset: -new Date().getTimezoneOffset(),
        },
        signal,
      }),
    enabled: from !== null && kinds.length > 0,
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });
  const isAsked = kinds.length > 0;
  return {
    amenities: (isAsked && data?.amenities) || NONE,
    error: isAsked ? error : null,
    refetch: () => void refetch(),
  };
}
