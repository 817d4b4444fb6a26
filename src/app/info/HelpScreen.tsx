export default function HelpScreen() { return <h1>HelpScreen</h1> }
