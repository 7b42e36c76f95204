import type { GuidelineCategory } from '#shared/moderation/contract.ts';

interface DefaultGuideline {
  guideline_category: GuidelineCategory;
  title: string;
  description: string;
  examples: string[];
  consequences: string;
}

/** What an installation starts with; admins edit it. */
export const DEFAULT_GUIDELINES: readonly DefaultGuideline[] = [
  {
    guideline_category: 'respectful_communication',
    title: 'Be kind to each other',
    description:
      'Write to people as you would speak to them at the dog park. We come with different dogs, different experience and different opinions, and everybody deserves respect.',
    examples: [
      'Do: "My dog needs space, could we cross to the other side?"',
      'Do: disagree about training without making it personal.',
      "Don't: insult people, or put them down for who they are, where they come from or whom they love.",
    ],
    consequences:
      'A first violation leads to a warning, a second to a temporary messaging restriction.',
  },
  {
    guideline_category: 'safety_first',
    title: 'Safety comes first',
    description:
      'Meet new people in public places and in daylight, and tell somebody where you are going. Keep your home address, your daily routes and your bank details to yourself until you know somebody well.',
    examples: [
      'Do: suggest a park that both of you know for a first walk together.',
      'Do: leave when something feels wrong, and tell us about it.',
      "Don't: press anybody to share where they live or when they are alone.",
    ],
    consequences:
      'Whoever endangers others is suspended. In an emergency call the emergency services first.',
  },
  {
    guideline_category: 'no_illegal_content',
    title: 'Nothing illegal',
    description:
      'Do not use messages to offer, ask for or share anything that is against the law: drugs, weapons, stolen animals, fraud, or threats of violence.',
    examples: [
      "Don't: sell drugs or prescription medicine, also not for animals.",
      "Don't: offer dogs or puppies that were stolen or smuggled.",
      "Don't: threaten anybody, or call for violence.",
    ],
    consequences:
      'Illegal content leads to termination of the account and a notice to law enforcement.',
  },
  {
    guideline_category: 'protect_minors',
    title: 'Protect children and young people',
    description:
      'Young people walk dogs, too. Never send them anything sexual, never ask them for pictures or for a meeting alone, and never share such content about them.',
    examples: [
      'Do: meet families together with a parent.',
      'Do: report at once whoever approaches a child here.',
      "Don't: ask anybody who may be under age for pictures, or to keep a secret.",
    ],
    consequences: 'There is no warning: the account is terminated and law enforcement is notified.',
  },
  {
    guideline_category: 'animal_welfare',
    title: 'Treat animals well',
    description:
      'We are here because we care about dogs. Cruelty, neglect, dog fighting and whatever causes pain or fear have no place here, neither done nor praised.',
    examples: [
      'Do: point to a vet or a trainer when somebody asks for help.',
      "Don't: recommend beating, shocking or choking a dog.",
      "Don't: arrange dog fights, or look for dogs to bait.",
    ],
    consequences:
      'Serious violations lead to suspension; what is illegal, to termination and a notice to law enforcement.',
  },
  {
    guideline_category: 'no_harassment',
    title: 'No harassment',
    description:
      'A no is a no, and no answer is an answer. Do not write again and again to somebody who does not want it, do not follow anybody on their walks, and do not get others to do it for you.',
    examples: [
      'Do: accept it when somebody removes or blocks you.',
      "Don't: make sexual remarks, or send pictures that nobody asked for.",
      "Don't: turn up where somebody walks after they asked you not to.",
    ],
    consequences:
      'A first violation leads to a warning, a second to a temporary messaging restriction, serious ones to suspension.',
  },
  {
    guideline_category: 'spam_prevention',
    title: 'No spam',
    description:
      'Messages are for people who know each other. Do not advertise, do not send the same text to many, and do not ask anybody for money.',
    examples: [
      'Do: recommend the groomer that you are happy with when somebody asks.',
      "Don't: advertise your business, your shop or your channel in messages.",
      "Don't: ask for gift cards, transfers or investments, whatever the story.",
    ],
    consequences:
      'A first violation leads to a warning, a second to a temporary messaging restriction; fraud to suspension.',
  },
];
