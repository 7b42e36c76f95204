/** Concentrations in the air, in micrograms per cubic meter; unmeasured ones are left out or null. */
export interface Concentrations {
  pm2_5?: number | null | undefined;
  pm10?: number | null | undefined;
  o3?: number | null | undefined;
  no2?: number | null | undefined;
  so2?: number | null | undefined;
  co?: number | null | undefined;
}

/** The highest index value of each of the six categories. */
const TOPS = [50, 100, 150, 200, 300, 500] as const;

interface Scale {
  /** Concentrations are truncated to multiples of this. */
  step: number;
  /** The highest concentration of each category; null if undefined for it. */
  tops: readonly (number | null)[];
  /** For gases measured in parts: grams per mole; `per` is 1e9 for billion, 1e6 for million. */
  gas?: { molar: number; per: 1e9 | 1e6 };
}

/** Table 6 of EPA-454/B-24-002. */
const SCALES: Record<keyof Concentrations, readonly Scale[]> = {
  pm2_5: [{ step: 0.1, tops: [9.0, 35.4, 55.4, 125.4, 225.4, 325.4] }],
  pm10: [{ step: 1, tops: [54, 154, 254, 354, 424, 604] }],
  // The 8-hour and the 1-hour scale; the latter is defined only for high values. The higher index counts.
  o3: [
    { step: 0.001, tops: [0.054, 0.07, 0.085, 0.105, 0.2, null], gas: { molar: 48, per: 1e6 } },
    {
      step: 0.001,
      tops: [null, 0.124, 0.164, 0.204, 0.404, 0.604],
      gas: { molar: 48, per: 1e6 },
    },
  ],
  no2: [{ step: 1, tops: [53, 100, 360, 649, 1249, 2049], gas: { molar: 46.0055, per: 1e9 } }],
  so2: [{ step: 1, tops: [35, 75, 185, 304, 604, 1004], gas: { molar: 64.066, per: 1e9 } }],
  co: [{ step: 0.1, tops: [4.4, 9.4, 12.4, 15.4, 30.4, 50.4], gas: { molar: 28.01, per: 1e6 } }],
};

/** Litres of a mole of gas at 25 °C and one atmosphere. */
const MOLAR_VOLUME = 24.45;

/** Converts a concentration to the units of a scale. */
const inScale = (micrograms: number, { gas }: Scale): number =>
  gas ? (micrograms * MOLAR_VOLUME * gas.per) / (gas.molar * 1e9) : micrograms;

function indexOn(scale: Scale, micrograms: number): number | null {
  // Avoids floating-point errors: 35.4 / 0.1 must not become 353.
  const concentration = Math.floor(inScale(micrograms, scale) / scale.step + 1e-6) * scale.step;
  let low: number | null = scale.tops[0] === null ? null : 0;
  for (const [category, top] of scale.tops.entries()) {
    const indexLow = category === 0 ? 0 : (TOPS[category - 1] as number) + 1;
    const indexHigh = TOPS[category] as number;
    if (low !== null && top !== null && concentration <= top + scale.step / 2) {
      if (concentration < low - scale.step / 2) return null;
      const part = top === low ? 1 : (concentration - low) / (top - low);
      return Math.round(indexLow + part * (indexHigh - indexLow));
    }
    low = top === null ? null : top + scale.step;
  }
  return scale.tops.at(-1) === null ? null : 500;
}

/**
 * Returns the air quality index of the US EPA, 0 to 500: that of the worst pollutant. Uses current values instead of
 * the EPA’s means over hours, so it reacts to wildfire smoke sooner.
 * @returns null if nothing was measured
 */
export function airQualityIndex(air: Concentrations): number | null {
  const indexes = Object.entries(SCALES).flatMap(([pollutant, scales]) => {
    const micrograms = air[pollutant as keyof Concentrations];
    if (micrograms == null || !Number.isFinite(micrograms) || micrograms < 0) return [];
    return scales.flatMap((scale) => indexOn(scale, micrograms) ?? []);
  });
  return indexes.length > 0 ? Math.max(...indexes) : null;
}
