export default function BusinessesScreen() { return <h1>BusinessesScreen</h1> }
