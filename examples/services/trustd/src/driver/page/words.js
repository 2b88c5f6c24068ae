// What the page says, in the language of the phone: Croatian, German, or English. Words are looked up by the English
// ones, so that what is missing is said in English.

const WORDS = {
  hr: {
    "Driver": "Vozač",
    "Begin on this phone": "Početak na ovom telefonu",
    "Invitation": "Pozivnica",
    "64 characters, which your office gave you. This phone makes a key, which never leaves it.":
      "64 znaka koja ti je dao ured. Telefon izrađuje ključ koji ga nikad ne napušta.",
    "Name of this phone": "Naziv ovog telefona",
    "Begin": "Počni",
    "Before the trip": "Prije puta",
    "Vehicle": "Vozilo",
    "Find a plate": "Traži registraciju",
    "Odometer, km": "Brojač kilometara, km",
    "File the inspection": "Predaj pregled",
    "Border": "Granica",
    "State entered": "Država ulaska",
    "Two letters, such as AT.": "Dva slova, na primjer AT.",
    "File the crossing": "Predaj prelazak",
    "Waits for a connection": "Čeka vezu",
    "Nothing waits.": "Ništa ne čeka.",
    "Send now": "Pošalji sada",
    "Filed": "Predano",
    "Nothing was filed from here yet.": "Odavde još ništa nije predano.",
    "This phone": "Ovaj telefon",
    "This phone is no longer mine": "Ovaj telefon više nije moj",
    "Lose what waits, and leave": "Odbaci što čeka i odjavi me",
    "Outside": "Izvana", "Lights": "Svjetla", "Tyres": "Gume", "Mirrors and glass": "Zrcala i stakla",
    "Body and load": "Nadogradnja i teret", "Leaks": "Curenja", "Under the hood": "Pod haubom", "Oil": "Ulje",
    "Coolant": "Rashladna tekućina", "Belts": "Remeni", "Battery": "Akumulator", "Documents": "Dokumenti",
    "Licence": "Vozačka dozvola", "Registration": "Prometna dozvola", "Insurance": "Osiguranje",
    "Tachograph": "Tahograf", "note": "napomena", "photos": "fotografije", "Not looked at": "Nije pregledano",
    "In order": "U redu", "Defect": "Kvar", "Dangerous": "Opasno", "Inspection": "Pregled", "Crossing": "Prelazak",
    "Odometer": "Kilometri", "Repair": "Popravak", "go": "kreni", "go, with warnings": "kreni, uz upozorenja",
    "do not go": "ne kreći", "Open defects": "Otvoreni kvarovi", "Verify": "Provjeri", "Take it away": "Ukloni",
    "It is taken away, and was not filed.": "Uklonjeno je i nije predano.",
    "The odometer has up to seven digits.": "Brojač ima do sedam znamenki.",
    "Say how it was found: ": "Reci kako je nađeno: ",
    "A state has two letters, such as AT.": "Država ima dva slova, na primjer AT.",
    "Choose a vehicle. This phone knows none until it had a connection.":
      "Odaberi vozilo. Telefon ne zna nijedno dok nije imao vezu.",
    "Kept on this phone. It is sent when there is a connection.": "Sačuvano na telefonu. Šalje se kad bude veze.",
    "Kept on this phone, and being sent.": "Sačuvano na telefonu, šalje se.",
    "All is sent.": "Sve je poslano.",
    "Refused: ": "Odbijeno: ",
    "Some was refused, and stands below.": "Nešto je odbijeno i stoji dolje.",
    "An invitation is 64 characters, 0 to 9 and a to f.": "Pozivnica ima 64 znaka, 0 do 9 i a do f.",
    "This phone is yours now.": "Ovaj je telefon sada tvoj.",
    "This phone is nobody's now.": "Ovaj telefon sada nije ničiji.",
    "Something waits to be sent, and would be lost. Send it first, or leave it behind.":
      "Nešto čeka slanje i izgubilo bi se. Najprije to pošalji ili odbaci.",
    "This phone does not count any more. Ask your office for another invitation: what waits is kept.":
      "Ovaj telefon više ne vrijedi. Zatraži od ureda novu pozivnicu: što čeka, ostaje sačuvano.",
  },
  de: {
    "Driver": "Fahrer",
    "Begin on this phone": "Auf diesem Telefon beginnen",
    "Invitation": "Einladung",
    "64 characters, which your office gave you. This phone makes a key, which never leaves it.":
      "64 Zeichen, die du vom Büro hast. Das Telefon erzeugt einen Schlüssel, der es nie verlässt.",
    "Name of this phone": "Name dieses Telefons",
    "Begin": "Beginnen",
    "Before the trip": "Vor der Fahrt",
    "Vehicle": "Fahrzeug",
    "Find a plate": "Kennzeichen suchen",
    "Odometer, km": "Kilometerstand, km",
    "File the inspection": "Kontrolle einreichen",
    "Border": "Grenze",
    "State entered": "Land der Einreise",
    "Two letters, such as AT.": "Zwei Buchstaben, etwa AT.",
    "File the crossing": "Übertritt einreichen",
    "Waits for a connection": "Wartet auf Verbindung",
    "Nothing waits.": "Nichts wartet.",
    "Send now": "Jetzt senden",
    "Filed": "Eingereicht",
    "Nothing was filed from here yet.": "Von hier wurde noch nichts eingereicht.",
    "This phone": "Dieses Telefon",
    "This phone is no longer mine": "Dieses Telefon gehört nicht mehr mir",
    "Lose what waits, and leave": "Wartendes verwerfen und abmelden",
    "Outside": "Außen", "Lights": "Licht", "Tyres": "Reifen", "Mirrors and glass": "Spiegel und Scheiben",
    "Body and load": "Aufbau und Ladung", "Leaks": "Undichte Stellen", "Under the hood": "Unter der Haube",
    "Oil": "Öl", "Coolant": "Kühlmittel", "Belts": "Riemen", "Battery": "Batterie", "Documents": "Papiere",
    "Licence": "Führerschein", "Registration": "Zulassung", "Insurance": "Versicherung",
    "Tachograph": "Fahrtenschreiber", "note": "Anmerkung", "photos": "Fotos", "Not looked at": "Nicht angesehen",
    "In order": "In Ordnung", "Defect": "Mangel", "Dangerous": "Gefährlich", "Inspection": "Kontrolle",
    "Crossing": "Übertritt", "Odometer": "Kilometerstand", "Repair": "Reparatur", "go": "fahren",
    "go, with warnings": "fahren, mit Warnungen", "do not go": "nicht fahren", "Open defects": "Offene Mängel",
    "Verify": "Prüfen", "Take it away": "Entfernen",
    "It is taken away, and was not filed.": "Es ist entfernt und wurde nicht eingereicht.",
    "The odometer has up to seven digits.": "Der Kilometerstand hat bis zu sieben Ziffern.",
    "Say how it was found: ": "Sag, wie es vorgefunden wurde: ",
    "A state has two letters, such as AT.": "Ein Land hat zwei Buchstaben, etwa AT.",
    "Choose a vehicle. This phone knows none until it had a connection.":
      "Wähle ein Fahrzeug. Das Telefon kennt keines, bevor es eine Verbindung hatte.",
    "Kept on this phone. It is sent when there is a connection.":
      "Auf dem Telefon gespeichert. Gesendet wird, sobald Verbindung besteht.",
    "Kept on this phone, and being sent.": "Auf dem Telefon gespeichert, wird gesendet.",
    "All is sent.": "Alles ist gesendet.",
    "Refused: ": "Abgelehnt: ",
    "Some was refused, and stands below.": "Manches wurde abgelehnt und steht unten.",
    "An invitation is 64 characters, 0 to 9 and a to f.": "Eine Einladung hat 64 Zeichen, 0 bis 9 und a bis f.",
    "This phone is yours now.": "Dieses Telefon ist jetzt deines.",
    "This phone is nobody's now.": "Dieses Telefon gehört jetzt niemandem.",
    "Something waits to be sent, and would be lost. Send it first, or leave it behind.":
      "Etwas wartet noch und ginge verloren. Sende es zuerst oder verwirf es.",
    "This phone does not count any more. Ask your office for another invitation: what waits is kept.":
      "Dieses Telefon gilt nicht mehr. Bitte das Büro um eine neue Einladung: was wartet, bleibt erhalten.",
  },
};
const LANGUAGE = (navigator.languages || []).map((one) => one.slice(0, 2)).find((one) => one === "en" || WORDS[one]);

export const t = (words) => WORDS[LANGUAGE]?.[words] ?? words;

// Says what the document says, in the language.
export function translate() {
  document.documentElement.lang = LANGUAGE || "en";
  document.title = t(document.title);
  for (const named of document.querySelectorAll("[data-t]")) named.textContent = t(named.textContent);
}
