import { unitChoice, type UnitChoice } from '#shared/units.ts';
import { optionsOf, SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { useSettings } from './use-settings.ts';

const NAMES: Record<UnitChoice, string> = {
  automatic: 'Automatic (your device’s region)',
  us: 'US (feet, miles, °F)',
  metric: 'Metric (meters, kilometers, °C)',
};

/** The units of shown and spoken distances and of the weather. */
export function UnitsSettings() {
  const { settings, save } = useSettings();
  return (
    <Card title="Units" id="units">
      <SelectField
        label="Distance and temperature"
        options={optionsOf(NAMES)}
        value={settings.units}
        onChange={(event) => save({ units: unitChoice.parse(event.target.value) })}
        hint="Used on screens and in spoken alerts, on all your devices."
      />
    </Card>
  );
}
