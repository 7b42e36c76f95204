export const GEOCODER_QUERY = { min: 2, max: 120 };
