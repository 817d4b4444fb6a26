export default function DealsScreen() { return <h1>DealsScreen</h1> }
