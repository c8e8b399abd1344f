// Another extension that speaks in the user's place.
export default function (pi) {
  pi.registerCommand("speak", { description: "Speaks", handler: async (words) => pi.sendUserMessage(words) });
}
