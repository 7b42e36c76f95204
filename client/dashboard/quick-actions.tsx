import {
  BellRing,
  Dog,
  HandHeart,
  MapPin,
  MapPinOff,
  MessagesSquare,
  Trees,
  UserRoundPen,
  UserRoundPlus,
} from 'lucide-react';
import { useCard } from '../profile/use-card.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';

/** What an owner does most, in one place. */
export function QuickActions() {
  const { card, saveProfile } = useCard();
  const sharing = card?.is_location_sharing_enabled ?? false;
  const LocationIcon = sharing ? MapPinOff : MapPin;
  return (
    <Card title="Quick Actions">
      <div className="grid auto-rows-fr grid-cols-2 gap-2">
        <ButtonLink
          look="tile"
          to="/home?open=add-dog"
          icon={<Dog aria-hidden className="size-5 shrink-0 text-accent" />}
        >
          Add Dog
        </ButtonLink>
        <ButtonLink
          look="tile"
          to="/onboarding"
          icon={<UserRoundPen aria-hidden className="size-5 shrink-0 text-accent" />}
        >
          Edit Profile
        </ButtonLink>
        <ButtonLink
          look="tile"
          to="/locations"
          icon={<Trees aria-hidden className="size-5 shrink-0 text-accent" />}
        >
          Walking Locations
        </ButtonLink>
        <ButtonLink
          look="tile"
          to="/community"
          icon={<HandHeart aria-hidden className="size-5 shrink-0 text-accent" />}
        >
          Community Charities
        </ButtonLink>
        <ButtonLink
          look="tile"
          to="/social"
          icon={<MessagesSquare aria-hidden className="size-5 shrink-0 text-accent" />}
        >
          Social & Chat
        </ButtonLink>
        <Button
          look="tile"
          disabled={!card}
          onClick={() =>
            card &&
            saveProfile({ display_name: card.display_name, is_location_sharing_enabled: !sharing })
          }
          icon={<LocationIcon aria-hidden className="size-5 shrink-0 text-accent" />}
        >
          {sharing ? 'Disable Location' : 'Enable Location'}
        </Button>
        <ButtonLink
          look="tile"
          to="/home?open=refer-friends"
          icon={<UserRoundPlus aria-hidden className="size-5 shrink-0 text-accent" />}
        >
          Refer Friends
        </ButtonLink>
        <ButtonLink
          look="tile"
          to="/home?open=test-alerts"
          icon={<BellRing aria-hidden className="size-5 shrink-0 text-accent" />}
        >
          Test Alerts
        </ButtonLink>
      </div>
    </Card>
  );
}
